/** Figures over the answers of several readers to several sets, for the report `models`. */
import type { Answer } from '../../../src/core/trace/trace.ts';
import { type Interval, pairedDifference } from '../../../src/evaluation/bootstrap.ts';
import { BOOTSTRAP, drawResamples, resampledSums } from '../../../src/evaluation/resamples.ts';
import { answerAt } from '../../../src/readers/answer-at.ts';
import type { ReadAnswer } from '../../models/read-answers.ts';

/** Score from which an answer counts as right. */
const RIGHT = 0.5;

/** Says how one answer ended at a threshold. */
export type Fate = 'right' | 'wrong' | 'withheld right' | 'withheld' | 'lost by form' | 'abstained';
export const FATES: readonly Fate[] = [
  'right',
  'wrong',
  'withheld right',
  'withheld',
  'lost by form',
  'abstained',
];

/** Replies that a reader cannot take as an answer for their form alone. */
const BY_FORM = /not a readable answer|names passages and gives no answer|cites nothing/;

export function fateOf({ answer, score = 0 }: ReadAnswer, least: number): Fate {
  const shown = answerAt(answer, least);
  if (shown.kind !== 'abstained') return score >= RIGHT ? 'right' : 'wrong';
  if (isBelow(shown)) return score >= RIGHT ? 'withheld right' : 'withheld';
  return BY_FORM.test(shown.reason) ? 'lost by form' : 'abstained';
}

/** Tells whether the model's reply could not be taken for its form, whatever was answered then. */
export const isLostByForm = ({ said, answer }: ReadAnswer): boolean => {
  const reply = said ?? answer;
  return reply.kind === 'abstained' && BY_FORM.test(reply.reason);
};

const isBelow = (answer: Answer): boolean =>
  answer.kind === 'abstained' && answer.below !== undefined;

/**
 * Returns the score of a shown answer; 0 for one that is withheld. Where the corpus holds no
 * answer, none is right.
 */
export function scoreAt({ answer, answerable, score = 0 }: ReadAnswer, least: number): number {
  const isShown = answerAt(answer, least).kind !== 'abstained';
  return answerable ? Number(isShown) * score : Number(!isShown);
}

export const meanOf = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((a, b) => a + b, 0) / values.length;

/**
 * Returns the difference of two rows on the mean over sets, with its 95 % interval over questions
 * that are resampled within each set. Each pair holds the scores of both rows on one set.
 */
export function meanDifference(
  sets: readonly (readonly [readonly number[], readonly number[]])[],
): (Interval & { readonly value: number }) | undefined {
  const means = ([0, 1] as const).map(side => {
    const sum = new Float64Array(BOOTSTRAP.resamples);
    for (const [at, each] of sets.entries()) {
      // Sets of one size must not be resampled alike.
      const resamples = drawResamples(each[side].length, { seed: BOOTSTRAP.seed + at });
      const [drawn] = resampledSums(resamples, [Float64Array.from(each[side])]);
      for (let b = 0; b < sum.length; b++) sum[b]! += drawn![b]! / each[side].length / sets.length;
    }
    return sum;
  });
  const bounds = pairedDifference(means[0]!, means[1]!);
  const of = (side: 0 | 1): number => meanOf(sets.map(each => meanOf(each[side]) ?? 0)) ?? 0;
  return bounds && { value: of(0) - of(1), low: bounds.low, high: bounds.high };
}
