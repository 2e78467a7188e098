/** Says of an answer that the reply which it was read from was cut, or withheld by a filter. */
import { defined } from '../core/defined.ts';
import type { Cut } from '../core/trace/trace.ts';
import { wordsOfCut } from '../models/cut-words.ts';
import { INSUFFICIENT } from '../models/short-answer.ts';
import { type Answered, abstained } from './draft.ts';

/**
 * Returns the answer with the limit that cut its reply, if any. The cut is also the reason of an
 * abstention, except where the reply says that the evidence does not hold the answer.
 */
export const withCut = (answer: Answered, cut: Cut | undefined): Answered =>
  cut === undefined
    ? answer
    : defined<Answered>(
        answer.kind === 'answered' || answer.reason === INSUFFICIENT
          ? { ...answer, cut }
          : { ...answer, reason: `The reply of the model was ${wordsOfCut(cut)}`, cut },
      );

/** Reason of an abstention from a reply that the provider refused. */
export const FILTERED = 'The filter of the provider withheld the reply';

/** Returns the abstention from a reply that the provider refused; its text is no answer. */
export const filteredReply = (text: string): Answered =>
  defined({
    ...abstained(FILTERED),
    withheld: text.trim() === '' ? undefined : { text: text.toWellFormed().trim(), citations: [] },
  });
