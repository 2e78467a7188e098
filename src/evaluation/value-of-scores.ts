/**
 * From the scores of single questions to one value: the mean, a micro mean, a function of sums, or
 * a quantile.
 */
import type { Measure, Ratio, Score, Sums } from './example.ts';

export interface Value {
  readonly value: number;
  /** Number of questions that have a score. */
  readonly n: number;
}

export const isRatio = (score: Score): score is Ratio =>
  typeof score === 'object' && 'denominator' in score && 'numerator' in score;

/** The mean of numbers, as a sum and its count. */
const mean = (sum: number, n: number): number => sum / n;

/** A micro mean; nothing over nothing is 0. */
export const microMean = (numerator: number, denominator: number): number =>
  denominator === 0 ? 0 : numerator / denominator;

/**
 * The quantile of ascending numbers by linear interpolation (type 7, numpy's default). `at` from 0
 * to 1; NaN for an empty list.
 */
export function quantile(ascending: ArrayLike<number>, at: number): number {
  if (ascending.length === 0) return Number.NaN;
  const position = (ascending.length - 1) * at;
  const below = Math.floor(position);
  const low = ascending[below]!;
  const high = ascending[Math.min(below + 1, ascending.length - 1)]!;
  return low + (high - low) * (position - below);
}

/** Records of numbers, added up key by key. */
export function addSums(all: readonly Sums[]): Sums {
  const total: Record<string, number> = {};
  for (const sums of all)
    for (const [key, value] of Object.entries(sums)) total[key] = (total[key] ?? 0) + value;
  return total;
}

/**
 * The numbers of scores that are numbers; a measure that mixes forms is broken, and the sum of its
 * scores means nothing.
 */
function numbers(measure: Measure, scores: readonly Score[]): number[] {
  return scores.map(score => {
    if (typeof score !== 'number')
      throw new TypeError(
        `${measure.name} scores with records: it needs \`aggregate\` or \`combine\``,
      );
    return score;
  });
}

function combined(measure: Measure, scores: readonly Score[]): number {
  const { aggregate } = measure;
  if (aggregate?.kind === 'sums')
    return aggregate.value(addSums(scores as readonly Sums[]), scores.length);
  if (aggregate?.kind === 'quantile')
    return quantile(Float64Array.from(numbers(measure, scores)).sort(), aggregate.at);
  if (measure.combine) return measure.combine(scores);
  if (isRatio(scores[0]!)) {
    const sums = addSums(scores as unknown as readonly Sums[]);
    return microMean(sums['numerator']!, sums['denominator']!);
  }
  return mean(
    numbers(measure, scores).reduce((sum, score) => sum + score, 0),
    scores.length,
  );
}

/**
 * The value of a measure over many questions, and over how many; undefined when no question has a
 * score.
 */
export function valueOfScores(
  measure: Measure,
  scores: readonly (Score | undefined)[],
): Value | undefined {
  const defined = scores.filter(score => score !== undefined);
  if (defined.length === 0) return undefined;
  const value = combined(measure, defined);
  return Number.isFinite(value) ? { value, n: defined.length } : undefined;
}
