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

/** The property of this name of a text. */
const formOf = (name: FormName, ...text: Parameters<typeof sentenceForm>): number =>
  sentenceForm(...text)[SENTENCE_FORMS.indexOf(name)]!;

describe('how a sentence is written', () => {
  for (const [name, yes, no] of CASES)
    test(name, () => {
      for (const text of yes) assert.equal(formOf(name, text, 0, 0), 1, text);
      for (const text of no) assert.equal(formOf(name, text, 0, 0), 0, text);
    });

  test('numbers of words count by their logarithm, from 0', () => {
    assert.deepEqual(
      sentenceForm('', 0, 0),
      SENTENCE_FORMS.map(() => 0),
    );
    assert.equal(formOf('logarithm of its words', 'x', Math.E - 1, 1), 1);
    assert.equal(formOf('logarithm of its capitalised words', 'x', Math.E - 1, 1), Math.log(2));
  });

  test('the words of a text describe it as it is written, the same at each use', () => {
    const words = new TextWords('iPads of Quill and Osk sold 5 times, she said.', new Vocabulary());
    assert.deepEqual(
      words.form,
      sentenceForm('iPads of Quill and Osk sold 5 times, she said.', 10, 3),
    );
    assert.equal(words.form, words.form);
    assert.equal(words.form[SENTENCE_FORMS.indexOf('begins in lower case')], 1);
  });
});
