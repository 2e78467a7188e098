/**
 * Computes the percentile bootstrap of a measure's value, and of paired differences between two
 * systems on the same resamples (Efron and Tibshirani, An Introduction to the Bootstrap, chapter
 * 13).
 */
import { finish, type Steps } from '../core/steps.ts';
import type { Measure, Score, Sums } from './example.ts';
import { type Resamples, resampledQuantiles, resampledSumsInSteps } from './resamples.ts';
import { isRatio, microMean, quantile } from './value-of-scores.ts';

/**
 * The scores of one measure, one a question in the order of the data set; undefined where a
 * question has none.
 */
export interface Series {
  readonly measure: Measure;
  readonly scores: readonly (Score | undefined)[];
}

export interface Interval {
  /** The 2.5 and the 97.5 percentile over resamples. */
  readonly low: number;
  readonly high: number;
}

/**
 * Holds the columns of a series that are summed, and the function from the sums of one resample to
 * a value.
 */
interface Plan {
  readonly columns: readonly Float64Array[];
  value(sum: (column: number) => number): number;
}

const presence = (scores: Series['scores']): Float64Array =>
  Float64Array.from(scores, score => (score === undefined ? 0 : 1));
const column = (scores: Series['scores'], key: string): Float64Array =>
  Float64Array.from(scores, score => (score as Sums | undefined)?.[key] ?? 0);

function planOf({ measure, scores }: Series): Plan | undefined {
  const { aggregate } = measure;
  if (aggregate?.kind === 'quantile' || (measure.combine && !aggregate)) return undefined;
  const first = scores.find(score => score !== undefined);
  if (aggregate?.kind === 'sums') {
    const keys = [...new Set(scores.flatMap(score => Object.keys(score ?? {})))];
    const columns = [presence(scores), ...keys.map(key => column(scores, key))];
    const sums = (sum: (column: number) => number): Sums =>
      Object.fromEntries(keys.map((key, k) => [key, sum(k + 1)]));
    return { columns, value: sum => aggregate.value(sums(sum), sum(0)) };
  }
  if (first !== undefined && isRatio(first)) {
    const columns = [presence(scores), column(scores, 'numerator'), column(scores, 'denominator')];
    return { columns, value: sum => microMean(sum(1), sum(2)) };
  }
  return {
    columns: [
      presence(scores),
      Float64Array.from(scores, score => (score as number | undefined) ?? 0),
    ],
    value: sum => sum(1) / sum(0),
  };
}

/** The same column is summed once: many measures are defined on the same questions. */
function pool(): { readonly columns: Float64Array[]; add(column: Float64Array): number } {
  const columns: Float64Array[] = [];
  const same = (a: Float64Array, b: Float64Array): boolean => a.every((value, i) => value === b[i]);
  return {
    columns,
    add(candidate) {
      const known = columns.findIndex(existing => same(existing, candidate));
      return known >= 0 ? known : columns.push(candidate) - 1;
    },
  };
}

/**
 * For measures whose combination is an arbitrary function: resample by resample, slow (B calls of
 * `combine`).
 */
function* combinedValues(
  { n, resamples, counts }: Resamples,
  { measure, scores }: Series,
): Steps<Float64Array> {
  const values = new Float64Array(resamples);
  for (let b = 0; b < resamples; b++) {
    const drawn: Score[] = [];
    for (let i = 0; i < n; i++)
      if (scores[i] !== undefined)
        for (let c = counts[b * n + i]!; c > 0; c--) drawn.push(scores[i]!);
    values[b] = drawn.length === 0 ? Number.NaN : measure.combine!(drawn);
    if (b % COMBINED === COMBINED - 1) yield COMBINED * n;
  }
  return values;
}

/** Resamples that an arbitrary function combines in some milliseconds. */
const COMBINED = 32;

function withoutPlan(resamples: Resamples, series: Series): Steps<Float64Array> {
  const { aggregate } = series.measure;
  if (aggregate?.kind !== 'quantile') return combinedValues(resamples, series);
  return resampledQuantiles(
    resamples,
    Float64Array.from(series.scores, score => (score as number | undefined) ?? Number.NaN),
    aggregate.at,
  );
}

/**
 * The value of each series in each resample: one array of B numbers a series, NaN where a resample
 * holds no question with a score. All questions are resampled, those without a score as well, so
 * that every measure and every row sees the same resamples.
 */
export function resampledValues(resamples: Resamples, all: readonly Series[]): Float64Array[] {
  return finish(resampledValuesInSteps(resamples, all));
}

export function* resampledValuesInSteps(
  resamples: Resamples,
  all: readonly Series[],
): Steps<Float64Array[]> {
  const shared = pool();
  const plans = all.map(series => {
    const plan = planOf(series);
    return plan && { plan, at: plan.columns.map(shared.add) };
  });
  const sums = yield* resampledSumsInSteps(resamples, shared.columns);
  const values: Float64Array[] = [];
  for (const [index, planned] of plans.entries()) {
    if (!planned) {
      values.push(yield* withoutPlan(resamples, all[index]!));
      continue;
    }
    const { plan, at } = planned;
    const drawn = at.map(position => sums[position]!);
    values.push(
      Float64Array.from({ length: resamples.resamples }, (_, b) =>
        drawn[0]![b] === 0 ? Number.NaN : plan.value(k => drawn[k]![b]!),
      ),
    );
    yield resamples.resamples;
  }
  return values;
}

/** The 95 % percentile interval of resampled values; undefined when no resample has a value. */
export function interval(values: Float64Array): Interval | undefined {
  const sorted = values.filter(value => !Number.isNaN(value)).sort();
  return sorted.length === 0
    ? undefined
    : { low: quantile(sorted, 0.025), high: quantile(sorted, 0.975) };
}

export interface PairedDifference extends Interval {
  /** Share of resamples in which A's value is greater than B's; ties are not. */
  readonly shareAGreater: number;
}

/**
 * A - B, resample by resample. Both arrays must come of the same resamples. Undefined when no
 * resample has both values.
 */
export function pairedDifference(a: Float64Array, b: Float64Array): PairedDifference | undefined {
  const differences = a
    .map((value, index) => value - b[index]!)
    .filter(value => !Number.isNaN(value));
  const found = interval(differences);
  return (
    found && {
      ...found,
      shareAGreater:
        differences.reduce((count, value) => count + (value > 0 ? 1 : 0), 0) / differences.length,
    }
  );
}
