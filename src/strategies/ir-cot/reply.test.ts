/**
 * Tests parsing of IR-CoT replies, case by case; no reply throws, and none without a thought yields
 * one.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { defined } from '../../core/defined.ts';
import { withoutThinking } from '../../models/thoughts.ts';
import { IR_COT_PROFILES, type IrCotProfile, readThought, statedAnswer } from './reply.ts';

const read = (text: string, profile: IrCotProfile = 'original') =>
  readThought({ text, finish: 'stop' }, profile);
const thought = (text: string, answer?: string) => defined({ kind: 'thought', text, answer });

describe('the stop expression of the original: .* answer is:? (.*)\\.?', () => {
  const cases: readonly (readonly [sentence: string, answer: string | undefined])[] = [
    ['So the answer is: Tarn.', 'Tarn'],
    ['So the answer is Tarn', 'Tarn'],
    ['The answer is: 3.5.', '3.5'],
    ['The first answer is: no, so the answer is: yes.', 'yes'],
    ['So the answer is: etc..', 'etc.'],
    // Case and the blank before "answer" count, as in the original.
    ['So the Answer is: Tarn.', undefined],
    ['answer is: Tarn.', undefined],
    ['So the answer is:Tarn.', undefined],
    ['The answers are many.', undefined],
    ['So the answer is:', undefined],
  ];
  for (const [sentence, answer] of cases)
    test(sentence, () => assert.equal(statedAnswer(sentence), answer));
});

describe('one sentence', () => {
  test('is read from JSON, from plain text, after a think-block, from the first line', () => {
    const plain = thought('Ines Quill founded the works.');
    assert.deepEqual(
      read('{"sentence": "Ines Quill founded the works. She was born in Tarn.", "answer": null}'),
      plain,
    );
    assert.deepEqual(
      read('```json\n{"sentence": "Ines Quill founded the works.", "answer": null}\n```'),
      plain,
    );
    assert.deepEqual(read('Ines Quill founded the works. She was born in Tarn.'), plain);
    assert.deepEqual(read('By [1] and {2}: {"sentence": "Ines Quill founded the works."}'), plain);
    assert.deepEqual(read('A: Ines Quill founded the works.\nQ: Who?'), plain);
    assert.deepEqual(
      read('<think>Hm. So the answer is: Vell.</think>\n\nInes Quill founded the works.'),
      plain,
    );
    assert.deepEqual(read('Ines\tQuill  founded the works.'), plain);
    assert.deepEqual(
      read('Dr. Ines Quill founded the works. Yes.'),
      thought('Dr. Ines Quill founded the works.'),
    );
  });

  test('is read with its answer from the sentence before the field', () => {
    assert.deepEqual(
      read('{"sentence": "So the answer is: Tarn.", "answer": "Vell"}'),
      thought('So the answer is: Tarn.', 'Tarn'),
    );
    assert.deepEqual(
      read('{"sentence": "It lies in Tarn.", "answer": " Tarn "}'),
      thought('It lies in Tarn.', 'Tarn'),
    );
    assert.deepEqual(
      read('{"sentence": "It lies in Tarn.", "answer": ""}'),
      thought('It lies in Tarn.'),
    );
    for (const none of ['null', 'None', ' NULL. '])
      assert.deepEqual(
        read(`{"sentence": "It lies in Tarn.", "answer": "${none}"}`),
        thought('It lies in Tarn.'),
      );
    assert.deepEqual(
      read('{"sentence": "So the answer is: None.", "answer": "None"}'),
      thought('So the answer is: None.', 'None'),
    );
    assert.deepEqual(
      read('{"sentence": "It lies in Tarn.", "answer": {"a": 1}}'),
      thought('It lies in Tarn.'),
    );
  });

  test('comparison-text stops at "The answer is:" alone', () => {
    assert.deepEqual(
      read('The answer is: Tarn.', 'comparison-text'),
      thought('The answer is: Tarn.', 'Tarn'),
    );
    assert.deepEqual(
      read('So the answer is: Tarn.', 'comparison-text'),
      thought('So the answer is: Tarn.', 'Tarn'),
    );
    assert.deepEqual(
      read('The answer is Tarn.', 'comparison-text'),
      thought('The answer is Tarn.'),
    );
    assert.deepEqual(
      read('Its answer is: Tarn.', 'comparison-text'),
      thought('Its answer is: Tarn.'),
    );
  });
});

describe('no thought', () => {
  const none = [
    '',
    ' \n',
    '...',
    '12',
    '{}',
    '{"sentence": ""}',
    '{"sentence": 3}',
    '{"sentence": "Ines Qui',
    '[',
    '```',
    '<think>Ines Quill',
    '```json\n{"a": 1}\n```',
  ];
  for (const text of none)
    test(JSON.stringify(text), () => assert.deepEqual(read(text), { kind: 'unparsed' }));
  const refusals = [
    "I'm sorry, but I can't help with that.",
    'I’m unable to answer.',
    'I cannot say.',
    'Sorry, no.',
    'As an AI, I have no view.',
    'I am not able to.',
  ];
  for (const profile of IR_COT_PROFILES)
    for (const text of refusals)
      test(`${profile}: ${text}`, () =>
        assert.deepEqual(read(text, profile), { kind: 'unparsed' }));
  test('is read from a refusal in JSON or a filtered reply', () => {
    assert.deepEqual(read('{"sentence": "I cannot answer that.", "answer": null}'), {
      kind: 'unparsed',
    });
    assert.deepEqual(readThought({ text: 'Quill founded it.', finish: 'filtered' }, 'original'), {
      kind: 'unparsed',
    });
  });
});

describe('any reply', () => {
  const pieces = [
    '{"sentence": "',
    '", "answer": ',
    'null}',
    '"',
    '\\',
    '{',
    '}',
    '[',
    '<think>',
    '</think>',
    '```',
    '\n',
    ' answer is: ',
    'So ',
    '. ',
    'Quill',
    '\u0000',
    '\ud800',
    'I cannot',
  ];
  const text = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 8 })))
    .map(parts => parts.join(''));
  for (const profile of IR_COT_PROFILES)
    test(`of ${profile} is read without exceptions into a short thought of one line`, () => {
      fc.assert(
        fc.property(text, reply => {
          const got = read(reply, profile);
          if (got.kind === 'unparsed') return;
          assert.match(got.text, /\p{L}/u);
          assert.ok(!/[\n\r]/.test(got.text) && got.text.split(' ').length <= 400);
          if (profile === 'comparison-code')
            assert.equal(got.answer !== undefined, /answer is:/i.test(withoutThinking(reply)));
        }),
        // A mark within code ends no thought.
        { numRuns: 2000, examples: [[' answer is: ```</think>```']] },
      );
    });

  test('of a megabyte is read as far as its bounds', () => {
    // The words of the thought: a sentence has at most 100, a whole reply at most 400.
    for (const [piece, sentence, reply] of [
      ['a', 1, 1],
      ['a. ', 100, 400],
      ['{', 0, 0],
      ['[', 0, 0],
      ['"', 0, 0],
      [' answer is: ', 100, 400],
      ['answer is:', 100, 400],
      ['\n', 0, 0],
      ['I ', 100, 400],
      ['<think>', 0, 0],
    ] as const)
      for (const profile of IR_COT_PROFILES) {
        const got = read(piece.repeat(Math.ceil(1_000_000 / piece.length)), profile);
        const words = got.kind === 'unparsed' ? 0 : got.text.split(' ').length;
        assert.equal(
          words,
          profile === 'comparison-code' ? reply : sentence,
          `${profile}: ${piece}`,
        );
        assert.ok(got.kind === 'unparsed' || got.text.length <= 20_000, `${profile}: ${piece}`);
      }
  });
});
