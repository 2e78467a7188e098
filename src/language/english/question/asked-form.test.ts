/** Tests the forms of answers that questions ask for, and what remains as their subject. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type AskedForm, askedForm, askedParts } from './asked-form.ts';

const FORMS: Readonly<Record<AskedForm, readonly string[]>> = {
  duration: ['How long does the proxy wait?', 'How many days is a token valid?', 'Idle timeout'],
  size: [
    'How large can an upload get?',
    'How much memory does it take?',
    'How many kilobytes may a cookie have?',
    'What is the largest memory size of a worker?',
  ],
  count: ['How many workers does Kestrel start?', 'How often does the index get rebuilt?'],
  number: ['On which port does it listen?', 'What exit code does lint return for warnings?'],
  version: ['Which Python version does Heron need?', 'What is the oldest Ruby that Wren runs on?'],
  date: [
    'In which year did the fork begin?',
    'Since when is Wren free?',
    'For new users, when was the plan closed?',
  ],
  person: [
    'Which author is Heron named after?',
    'For the first release, who wrote the parser?',
    'The parser was written by whom?',
  ],
  place: ['Where was Kestrel presented first?'],
  command: ['Which command empties the cache?'],
  option: ['Which option turns off colours?', 'What environment variable names the registry?'],
  definition: ['What is a shard?', 'What does the acronym WAL stand for?', 'Define shard'],
  list: ['Which three backends are there?', 'List all backends', 'What are the allowed levels?'],
  value: [
    'What log level is used if none is set?',
    'What are releases of Wren named after?',
    'What is the update of the day?',
    'Which dateline does the page bear?',
    'What commander leads Wren?',
  ],
  price: ['What does the hosted plan cost a month?', 'How much does the plan cost?'],
  verdict: ['Does Kestrel compress responses?', 'Is the cache shared out of the box?'],
  choice: [
    'Which of the two starts faster, Wren or Heron?',
    'What one of them is older?',
    'Who is older: Ada or Grace?',
    'Does Heron round up or down?',
    'Compare Wren with Heron',
  ],
  manner: [
    'In Wren, how do I rotate a key?',
    'Why is the cache empty after a restart?',
    'What should I do to keep sessions?',
    'What happens after a crash?',
    'What does the option --plain do?',
    'Could you tell me how to pin a version?',
    'Explain the cache',
  ],
};

describe('the form of an answer', () => {
  for (const [form, questions] of Object.entries(FORMS))
    test(form, () => {
      for (const question of questions) assert.equal(askedForm(question).form, form, question);
    });

  test('any text has one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        assert.equal(typeof askedForm(text).form, 'string');
        assert.ok(askedParts(text).length > 0);
      }),
    );
  });
});

describe('the subject of a question', () => {
  test('leaves out what says that nothing is configured', () => {
    for (const tail of [
      'unless I say otherwise',
      'by default',
      'out of the box',
      'if none is set',
    ]) {
      const asked = askedForm(`How many workers does Kestrel start ${tail}?`);
      assert.equal(asked.default, true, tail);
      assert.match(asked.subject, /^\s*workers does Kestrel start\s*\?$/);
    }
    assert.equal(askedForm('How many workers does Kestrel start?').default, false);
  });

  test('of two questions in one sentence are two', () => {
    for (const [question, ...parts] of [
      ['Who wrote it? And how many lines has it?', 'Who wrote it', 'how many lines has it?'],
      ['Who wrote it; when was it?', 'Who wrote it', 'when was it?'],
      ['Who wrote it and in which year?', 'Who wrote it', 'in which year?'],
      ['Who wrote it and the tests?', 'Who wrote it and the tests?'],
      ['???', '???'],
      ['', ''],
    ] as const)
      assert.deepEqual(askedParts(question), parts);
  });
});
