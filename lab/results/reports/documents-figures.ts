/** Shares of outcomes with bootstrap intervals, as the report `documents` prints them. */
import type { Outcome } from '../../../bench/documents/measure.ts';
import { interval, pairedDifference, resampledValues } from '../../../src/evaluation/bootstrap.ts';
import { drawResamples } from '../../../src/evaluation/resamples.ts';
import { valueOfScores } from '../../../src/evaluation/value-of-scores.ts';
import { seriesOf } from '../report.ts';
import { percent } from '../tables.ts';

/** Takes a share or a yes or no from an outcome; undefined where it has none. */
export type Pick<T = Outcome> = (outcome: T) => number | boolean | undefined;

/** A measure that averages shares over the questions that have one. */
const MEAN = 'Recall@5';

const series = <T>(outcomes: readonly T[], pick: Pick<T>) =>
  seriesOf(
    MEAN,
    outcomes.map(outcome => {
      const value = pick(outcome);
      return value === undefined ? null : Number(value);
    }),
  );

/** Returns the mean in per cent with its 95 % interval and the number of questions behind it. */
export function estimate<T>(outcomes: readonly T[], pick: Pick<T>): string {
  const figure = series(outcomes, pick);
  const n = figure.scores.filter(score => score !== undefined).length;
  const mean = valueOfScores(figure.measure, figure.scores)?.value;
  if (n === 0 || mean === undefined) return '–';
  const bounds = interval(resampledValues(drawResamples(outcomes.length), [figure])[0]!);
  const between = bounds ? ` [${percent(bounds.low)}, ${percent(bounds.high)}]` : '';
  return `${percent(mean)}${between}, n = ${n}`;
}

/** Returns the mean, with four digits; null if no outcome has a value. */
export function meanOf(outcomes: readonly Outcome[], pick: Pick): number | null {
  const figure = series(outcomes, pick);
  const mean = valueOfScores(figure.measure, figure.scores)?.value;
  return mean === undefined ? null : Number(mean.toFixed(4));
}

/** Returns the paired difference of two systems in points, with its interval and its ratio. */
export function difference<T>(a: readonly T[], b: readonly T[], pick: Pick<T>): string {
  const [first, second] = [series(a, pick), series(b, pick)];
  const [x, y] = [first, second].map(each => valueOfScores(each.measure, each.scores)?.value);
  if (x === undefined || y === undefined || a.length !== b.length) return '–';
  const [left, right] = resampledValues(drawResamples(a.length), [first, second]);
  const bounds = pairedDifference(left!, right!);
  const between = bounds ? ` [${percent(bounds.low)}, ${percent(bounds.high)}]` : '';
  const ratio = y === 0 ? '' : ` (${percent(x / y - 1)} % relative)`;
  return `${percent(x - y)} points${between}${ratio}`;
}
