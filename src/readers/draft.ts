/** Turns what a reader found into its answer: cited, and withheld below a least support. */

import { defined } from '../core/defined.ts';
import type { Alternative } from '../core/trace/answer.ts';
import type { Answer, Citation, Confidence, Evidence } from '../core/trace/trace.ts';
import { answerProbability } from '../models/answer-probability/answer-probability.ts';
import { INSUFFICIENT } from '../models/short-answer.ts';
import { citationOf } from './shown-passages.ts';
import type { ShownSentence } from './shown-sentences.ts';

/** A text with its share among the candidates, from 0 to 1. */
export interface Shared {
  readonly text: string;
  readonly share: number;
}

/** The finding of a reader, with the sentences that state it. */
export interface Draft extends Shared {
  readonly form: Confidence['form'];
  /** Numbers of the shown sentences, the best first. */
  readonly sentences: readonly number[];
  /** The next candidates, best first. */
  readonly others: readonly Shared[];
}

/** An answer, or an abstention from one. */
export type Answered = Exclude<Answer, { readonly kind: 'evidence' }>;
export type Abstained = Extract<Answer, { readonly kind: 'abstained' }>;

/** Reason of an abstention for want of a valid citation. */
export const NOTHING_CITED = 'The answer cites nothing in the evidence';

export const abstained = (reason: string = INSUFFICIENT, support: number = 0): Abstained => ({
  kind: 'abstained',
  reason,
  support,
});

/** Returns undefined for an empty list, which answers leave out. */
export const orNone = <T>(list: readonly T[]): readonly T[] | undefined =>
  list.length > 0 ? list : undefined;

/** The words of an answer and what they rest on. */
export type Stated = NonNullable<Abstained['withheld']>;

/**
 * Returns the answer, or an abstention that withholds it if its support is less than the least. A
 * question with a type that gets no answer has the type `null`.
 */
export const supported = (
  { text, citations }: Stated,
  support: number,
  least: number,
  questionType?: string,
): Answered =>
  defined(
    support < least
      ? {
          ...abstained(INSUFFICIENT, support),
          withheld: { text, citations },
          questionType: questionType && NULL_TYPE,
        }
      : { kind: 'answered', text, citations, support, questionType },
  );

/** Type of a question that has no answer in the evidence. */
export const NULL_TYPE = 'null';

export const cited = (
  sentences: readonly number[],
  shown: readonly ShownSentence[],
  evidence: readonly Evidence[],
): Citation[] => sentences.flatMap(index => citationOf(shown[index]!, evidence) ?? []);

/** Adds how probable the draft is, from its share among the candidates of its question. */
export async function withProbability(
  answer: Answered,
  { form, share, others }: Omit<Draft, 'text' | 'sentences'>,
): Promise<Answered> {
  // Loaded on first use: no other reader pays for it.
  const { shippedProbability } = await import('../models/answer-probability/shipped.ts');
  const model = shippedProbability();
  const probable = (part: number): number =>
    rounded(answerProbability({ form, share: part }, model));
  const probability = probable(share);
  return defined({
    ...answer,
    probability,
    confidence: { form, share: rounded(share) },
    alternatives: alternativesOf(others, probable, probability),
  });
}

/** Candidates that an answer names beside its own text. */
const ALTERNATIVES = 3;

/**
 * Returns the first of the other candidates, each with its probability. Candidates exclude each
 * other: their probabilities and that of the answer sum to at most 1.
 */
export function alternativesOf(
  others: readonly Shared[],
  probable: (share: number) => number,
  answer: number = 0,
): readonly Alternative[] | undefined {
  let left = 1 - answer;
  return orNone(
    others.slice(0, ALTERNATIVES).map(({ text, share }) => {
      const probability = rounded(Math.max(0, Math.min(left, probable(share))));
      left -= probability;
      return { text, probability };
    }),
  );
}

/** Three digits: more say nothing of a fitted probability, and traces stay small. */
export const rounded = (value: number): number => Math.round(1000 * value) / 1000;
