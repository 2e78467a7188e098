/**
 * Where a reader should begin to refuse: the support threshold, chosen by cross-validation and
 * never on the question that it is judged on.
 */
import { InputError } from '../errors.ts';
import { foldsOf } from '../evaluation/controls.ts';

export interface Supported {
  /** The support of the reader's answer, 0 to 1. */
  readonly support: number;
  /** Whether the corpus holds no answer, so that refusing is right. */
  readonly isNull: boolean;
}

export interface FoldOutcome {
  /** Chosen on the other folds. */
  readonly threshold: number;
  /** On this fold: share of null questions refused, share of answerable ones refused. */
  readonly abstainedNull: number;
  readonly refusedAnswerable: number;
}

export interface LearnedThreshold {
  /** The median over the folds. */
  readonly threshold: number;
  readonly folds: readonly FoldOutcome[];
}

/** Thresholds are hundredths: finer ones would only follow the sample. */
const STEPS = 100;

/** The share of null questions and of answerable ones whose support lies below the threshold. */
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
 * The threshold with the greatest difference of the two shares (Youden's J: both kinds of question
 * count alike, whatever their numbers); the lowest of equals.
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

/**
 * Chooses on all folds but one, judges on that one, for each. Throws `InputError` unless both kinds
 * of question are there.
 */
export function learnThreshold(items: readonly Supported[], folds = 5): LearnedThreshold {
  if (!items.some(({ isNull }) => isNull) || items.every(({ isNull }) => isNull))
    throw new InputError('one-kind-of-question', 'A threshold needs both kinds of question', {
      expected: 'null and answerable questions',
    });
  const fold = foldsOf(items.length, folds);
  const outcomes = Array.from({ length: folds }, (_, held): FoldOutcome => {
    const threshold = bestThreshold(items.filter((_, index) => fold[index] !== held));
    return {
      threshold,
      ...refusals(
        items.filter((_, index) => fold[index] === held),
        threshold,
      ),
    };
  });
  const sorted = outcomes.map(({ threshold }) => threshold).sort((a, b) => a - b);
  return { threshold: sorted[Math.floor(sorted.length / 2)]!, folds: outcomes };
}
