/** Chooses the support threshold below which a reader abstains, by cross-validation. */
import { InputError } from '../../core/errors.ts';
import { foldsOf } from './folds.ts';

export interface Supported {
  /** Support of the reader's answer, 0 to 1. */
  readonly support: number;
  /** True if the corpus contains no answer, so that abstaining is right. */
  readonly isNull: boolean;
}

export interface FoldOutcome {
  /** Threshold, chosen on the other folds. */
  readonly threshold: number;
  /** Shares of refused null and answerable questions, on this fold. */
  readonly abstainedNull: number;
  readonly refusedAnswerable: number;
}

export interface LearnedThreshold {
  /** Median over the folds. */
  readonly threshold: number;
  readonly folds: readonly FoldOutcome[];
}

/** Number of steps between 0 and 1; finer thresholds would overfit the sample. */
const STEPS = 100;

/** Returns the shares of null and of answerable questions whose support is below the threshold. */
export function refusals(
  items: readonly Supported[],
  threshold: number,
): { readonly abstainedNull: number; readonly refusedAnswerable: number } {
  const below = (isNull: boolean): number => {
    const group = items.filter(item => item.isNull === isNull);
    return group.length === 0
      ? 0
      : group.filter(item => item.support < threshold).length / group.length;
  };
  return { abstainedNull: below(true), refusedAnswerable: below(false) };
}

/**
 * Returns the threshold with the greatest difference of the two shares (Youden's J, which weighs
 * both kinds of question equally regardless of their numbers); the lowest among equals.
 */
export function bestThreshold(items: readonly Supported[]): number {
  let best = { threshold: 0, balance: Number.NEGATIVE_INFINITY };
  for (let step = 0; step <= STEPS; step++) {
    const threshold = step / STEPS;
    const { abstainedNull, refusedAnswerable } = refusals(items, threshold);
    if (abstainedNull - refusedAnswerable > best.balance)
      best = { threshold, balance: abstainedNull - refusedAnswerable };
  }
  return best.threshold;
}

/** Returns the highest threshold that refuses at most this share of answerable questions. */
export function highestThreshold(items: readonly Supported[], mostRefused: number): number {
  for (let step = STEPS; step > 0; step--)
    if (refusals(items, step / STEPS).refusedAnswerable <= mostRefused) return step / STEPS;
  return 0;
}

/**
 * Chooses a threshold on all folds but one and measures it on that one, for each fold. Throws
 * `InputError('one-kind-of-question')` unless both kinds of question are present.
 */
export function learnThreshold(items: readonly Supported[], folds = 5): LearnedThreshold {
  if (!items.some(({ isNull }) => isNull) || items.every(({ isNull }) => isNull))
    throw new InputError('one-kind-of-question', 'A threshold needs both kinds of question', {
      expected: 'null and answerable questions',
    });
  return thresholdByFolds(items, foldsOf(items.length, folds), bestThreshold);
}

/** Chooses a threshold on all folds but one and measures it on that one, for each fold. */
export function thresholdByFolds(
  items: readonly Supported[],
  fold: readonly number[],
  choose: (items: readonly Supported[]) => number,
): LearnedThreshold {
  const outcomes = Array.from({ length: Math.max(...fold) + 1 }, (_, held): FoldOutcome => {
    const threshold = choose(items.filter((_, index) => fold[index] !== held));
    const heldOut = items.filter((_, index) => fold[index] === held);
    return { threshold, ...refusals(heldOut, threshold) };
  });
  const sorted = outcomes.map(({ threshold }) => threshold).sort((a, b) => a - b);
  return { threshold: sorted[Math.floor(sorted.length / 2)]!, folds: outcomes };
}
