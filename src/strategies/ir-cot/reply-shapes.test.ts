/** Tests how IR-CoT reads replies of other shapes: labels, blanks, points, refusals. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readThought } from './reply.ts';

const read = (text: string) => readThought({ text, finish: 'stop' }, 'original');
const thought = { kind: 'thought', text: 'Ines Quill founded the works.' };

test('labels at the head are left out with all blanks behind them, and runs of blanks shrink', () => {
  for (const label of ['A:', 'Answer:  ', 'Sentence: ', 'Reply:\t '])
    assert.deepEqual(read(`${label}Ines Quill founded the works.`), thought, label);
  assert.deepEqual(read('Ines   Quill \t founded the works.'), thought);
  assert.deepEqual(read('Ines Answer: Quill.'), { kind: 'thought', text: 'Ines Answer: Quill.' });
});

test('runs of blanks shrink in a whole reply too, and line breaks are blanks', () => {
  const whole = (text: string) => readThought({ text, finish: 'stop' }, 'comparison-code');
  assert.deepEqual(whole(' Ines   Quill \t founded\n\nthe works. '), thought);
});

test('an answer on the line below its mark is read, to the end of that line', () => {
  const thought = readThought(
    { text: 'It was Quill. The answer is:\n\n Vell. \nDone.', finish: 'stop' },
    'comparison-code',
  );
  assert.equal(thought.kind === 'thought' && thought.answer, 'Vell');
});

test('refusals are no thoughts, however they are spelled', () => {
  for (const refusal of [
    "I'm sorry, but no.",
    'I’m sorry, but no.',
    'Im sorry, but no.',
    'Sorry, no.',
    'I apologise, but no.',
    'I apologize, but no.',
    'My apologies.',
    "I can't say.",
    'I cannot say.',
    'I can not say.',
    'I am unable to say.',
    "I'm not able to say.",
    "I won't say.",
    'I will not say.',
    'As an AI I say nothing.',
  ])
    assert.equal(read(refusal).kind, 'unparsed', refusal);
  assert.equal(read('A sorry sight was Quill.').kind, 'thought');
});
