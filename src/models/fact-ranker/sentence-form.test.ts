/** Checks how sentences are described, one property after another. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type FormName, SENTENCE_FORMS, sentenceForm } from './sentence-form.ts';
import { TextWords, Vocabulary } from './text-words.ts';

const CASES: readonly (readonly [name: FormName, yes: readonly string[], no: readonly string[]])[] =
  [
    [
      'ends with a full stop',
      ['He left.', 'He said “go.” ', "'Go.'", 'x.’', '彼は行った。', '「行け。」'],
      ['Wait: here', 'Why?', 'a.b', '', '“a.””'],
    ],
    ['ends with a question mark', ['Why?', ' Why? ', 'なぜ？'], ['Why? Because.', '?!', '']],
    ['begins in lower case', ['iPad sales fell.', ' and so on', 'über'], ['He', '5 a', '“he', '']],
    ['has a digit', ['In 2024', 'x٣'], ['two', '']],
    [
      'reports what was said',
      ['He said so.', 'according to her', 'She has testified.'],
      ['He Said', 'unsaid', 'saids', ''],
    ],
  ];

describe('how a sentence is written', () => {
  for (const [name, yes, no] of CASES)
    test(name, () => {
      for (const text of yes) assert.equal(sentenceForm(text, 0, 0)[name], 1, text);
      for (const text of no) assert.equal(sentenceForm(text, 0, 0)[name], 0, text);
    });

  test('numbers of words count by their logarithm, from 0', () => {
    const none = sentenceForm('', 0, 0);
    assert.deepEqual(Object.keys(none), SENTENCE_FORMS);
    assert.deepEqual(new Set(Object.values(none)), new Set([0]));
    const form = sentenceForm('x', Math.E - 1, 1);
    assert.equal(form['logarithm of its words'], 1);
    assert.equal(form['logarithm of its capitalised words'], Math.log(2));
  });

  test('the words of a text describe it as it is written, the same at each use', () => {
    const words = new TextWords('iPads of Quill and Osk sold 5 times, she said.', new Vocabulary());
    assert.deepEqual(
      words.form,
      sentenceForm('iPads of Quill and Osk sold 5 times, she said.', 10, 3),
    );
    assert.equal(words.form, words.form);
    assert.equal(words.form['begins in lower case'], 1);
  });
});
