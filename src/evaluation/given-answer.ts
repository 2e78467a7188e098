/** The text that answer measures compare with gold. */
import { normHotpot } from '../core/text/normalise.ts';
import type { Answer } from '../core/trace/trace.ts';

/** Text of an abstention, word for word the gold answer of MultiHop-RAG's null questions. */
export const ABSTENTION = 'Insufficient information.';

/**
 * The answer's text, the abstention's words, or undefined when the reader only shows evidence:
 * answer measures have no value then.
 */
export function givenAnswer(answer: Answer): string | undefined {
  if (answer.kind === 'evidence') return undefined;
  return answer.kind === 'abstained' ? ABSTENTION : answer.text;
}

/**
 * Tells whether the answer refuses, by abstaining or in so many words; undefined for readers that
 * only show evidence.
 */
export function isRefusal(answer: Answer): boolean | undefined {
  const text = givenAnswer(answer);
  return text === undefined ? undefined : normHotpot(text) === normHotpot(ABSTENTION);
}
