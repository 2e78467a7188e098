/** Validates the text of a question. */
import { describeValue, InputError } from '../errors.ts';

/**
 * The greatest length of a question, in UTF-16 units: about 1,300 words, eight times the longest
 * question of the benchmarks. Analysis takes time in proportion to the length.
 */
export const LONGEST_QUESTION = 8192;

/**
 * Checks that a question has words and is not too long.
 *
 * @throws InputError `empty-question`, or `long-question` above `LONGEST_QUESTION`.
 */
export function checkQuestionText(text: unknown): asserts text is string {
  if (typeof text !== 'string' || text.trim() === '')
    throw new InputError('empty-question', 'The question is empty', {
      expected: 'a question in words',
    });
  if (text.length > LONGEST_QUESTION)
    throw new InputError('long-question', 'The question is too long', {
      expected: `at most ${LONGEST_QUESTION} characters`,
      received: `${text.length}, beginning with "${describeValue(text, 40)}"`,
      hint: 'Ingest long texts as documents, and ask a question about them',
    });
}
