/** Withholds answers whose probability of being right is below what the user asks for. */
import { InputError } from '../core/errors.ts';
import type { Answer } from '../core/trace/trace.ts';

/** Throws `InputError('bad-answer-at')` for what is no number from 0 to 1. */
export function checkAnswerAt(least: number): number {
  if (typeof least === 'number' && least >= 0 && least <= 1) return least;
  throw new InputError('bad-answer-at', 'The probability that an answer needs', {
    expected: 'a number from 0 to 1, such as 0.7; 0 shows every answer',
    received: String(least),
  });
}

type Abstained = Extract<Answer, { readonly kind: 'abstained' }>;

/** An abstention that withholds an answer for its probability alone. */
export type WithheldAnswer = Abstained &
  Required<Pick<Abstained, 'below' | 'withheld' | 'probability'>>;

/** Tells whether the answer is withheld for its probability alone. */
export const isBelow = (answer: Answer): answer is WithheldAnswer =>
  answer.kind === 'abstained' && answer.below !== undefined;

/**
 * Returns the answer, or an abstention that withholds it, if the answer states a probability below
 * `least`. An answer of a reader that states none is never withheld.
 */
export function answerAt(answer: Answer, least: number): Answer {
  if (answer.kind !== 'answered' || answer.probability === undefined) return answer;
  if (answer.probability >= least) return answer;
  const { kind: _, text, citations, unsupported: __, sentences: ___, ...rest } = answer;
  const reason = `No answer above ${least}`;
  return { kind: 'abstained', reason, below: least, withheld: { text, citations }, ...rest };
}
