/** Tests the greatest length of questions. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { InputError } from '../errors.ts';
import { checkQuestionText, LONGEST_QUESTION } from './question-text.ts';

test('accepts a question of the greatest length and refuses one character more', () => {
  const longest = 'why '.repeat(LONGEST_QUESTION / 4);
  assert.doesNotThrow(() => checkQuestionText(longest));
  assert.throws(
    () => checkQuestionText(`${longest}?`),
    (error: unknown) =>
      InputError.is(error) &&
      error.code === 'long-question' &&
      error.message.includes(`${LONGEST_QUESTION + 1}`) &&
      // The question itself is not repeated at length.
      error.message.length < 300,
  );
});
