/**
 * Recall of what a strategy kept, beside Direct-R at equal K: the control that says whether later
 * hops bring more than a longer first list would.
 *
 * Two controls, both read from one deep ranking of Direct-R. At the average K of the row: recall is
 * interpolated on a straight line between the two whole numbers around it. At each question's K:
 * the first |kept(q)| of Direct-R for the same question.
 */
import {
  interval,
  pairedDifference,
  resampledValues,
  type Series,
} from '../../src/evaluation/bootstrap.ts';
import type { Measure, Ratio, Score } from '../../src/evaluation/example.ts';
import { measure } from '../../src/evaluation/measures.ts';
import { drawResamples, type Resamples } from '../../src/evaluation/resamples.ts';
import { valueOfScores } from '../../src/evaluation/value-of-scores.ts';

/** One score a question; null or undefined where it has none. */
export type Column = readonly (Score | null | undefined)[];
/** By name of measure. */
export type Columns = Readonly<Record<string, Column>>;

/** A share or a difference of two, with its 95 % percentile bootstrap interval over questions. */
export interface Estimated {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** The interval over clusters, where it is known. */
  readonly clustered?: { readonly low: number; readonly high: number };
}

export interface Comparison {
  /** Documents that a question kept on average. */
  readonly averageK: number;
  readonly recall: Estimated;
  readonly directAtAverageK: Estimated;
  readonly overAverageK: Estimated;
  readonly directAtSameK: Estimated;
  /** Recall less Direct-R of as many, question by question on the same resamples. */
  readonly overSameK: Estimated;
}

/** Returns the name of a recall measure at a cut-off. */
export type Definition = (k: number) => string;

/** A cut-off above what any row keeps: recall there is that of all kept documents. */
export const ALL_KEPT = 1000;

/** Scores of a row at `ALL_KEPT`, and the number of documents that it kept for each question. */
export interface Run {
  readonly row: Columns;
  readonly kept: readonly number[];
}

/** The two sides: a row, or runs of one whose means count, and Direct-R at cut-offs from 1 on. */
export interface Compared {
  readonly runs: readonly Run[];
  readonly direct: Columns;
  /** Questions to count, where not all are. */
  readonly only?: ReadonlySet<number>;
}

const averageOf = (counts: readonly number[]): number =>
  counts.reduce((sum, count) => sum + count, 0) / counts.length;

/** Throws `RangeError` where a row kept more than the ranking of Direct-R is deep. */
export function compare(
  definition: Definition,
  { runs, direct, only }: Compared,
  drawn: Resamples,
): Comparison {
  const counted = only ?? new Set(runs[0]!.kept.keys());
  const averageK = averageOf(
    runs.flatMap(({ kept }) => kept.filter((_, question) => counted.has(question))),
  );
  const below = Math.floor(averageK);
  const share = averageK - below;
  const columns = [
    meanOf(runs.map(({ row }) => row[definition(ALL_KEPT)]!)),
    meanOf(runs.map(({ kept }) => sameK(definition, kept, direct))),
    atCutOff(definition, direct, below),
    atCutOff(definition, direct, share === 0 ? below : below + 1),
  ];
  const counts = measure(definition(1));
  const [found, same, low, high] = columns.map(column => series(counts, column, counted));
  const [all, control, floor, ceiling] = resampledValues(drawn, [found!, same!, low!, high!]);
  const line = (a: number, b: number): number => (1 - share) * a + share * b;
  const between = floor!.map((value, index) => line(value, ceiling![index]!));
  const values = [found, same, low, high].map(side => valueOfScores(counts, side!.scores)!.value);
  const [recall, atSame, atAverage] = [values[0]!, values[1]!, line(values[2]!, values[3]!)];
  return {
    averageK,
    recall: { value: recall, ...interval(all!)! },
    directAtAverageK: { value: atAverage, ...interval(between)! },
    overAverageK: { value: recall - atAverage, ...pairedDifference(all!, between)! },
    directAtSameK: { value: atSame, ...interval(control!)! },
    overSameK: { value: recall - atSame, ...pairedDifference(all!, control!)! },
  };
}

/** Recall of all that one row kept less that of another. */
export function difference(
  definition: Definition,
  a: Columns,
  b: Columns,
  drawn: Resamples,
): Estimated {
  const counts = measure(definition(1));
  const [first, second] = [a, b].map(row => series(counts, row[definition(ALL_KEPT)]!));
  const [all, other] = resampledValues(drawn, [first!, second!]);
  const value =
    valueOfScores(counts, first!.scores)!.value - valueOfScores(counts, second!.scores)!.value;
  return { value, ...pairedDifference(all!, other!)! };
}

export { drawResamples, type Resamples };

/** The mean score of each question; runs share denominators. */
function meanOf(columns: readonly Column[]): Column {
  return columns[0]!.map((first, question) => {
    const scores = columns.map(column => column[question]);
    if (first === null || first === undefined) return first;
    if (typeof first === 'number') return averageOf(scores as number[]);
    return { ...first, numerator: averageOf((scores as Ratio[]).map(each => each.numerator)) };
  });
}

function sameK(definition: Definition, kept: readonly number[], direct: Columns): Column {
  const cutOffs = new Map([...new Set(kept)].map(k => [k, atCutOff(definition, direct, k)]));
  return kept.map((k, question) => cutOffs.get(k)![question]);
}

/** Nothing is found among the first 0. */
function atCutOff(definition: Definition, direct: Columns, k: number): Column {
  const known = direct[definition(Math.max(k, 1))];
  if (known === undefined)
    throw new RangeError(
      `There is no ${definition(k)}: the ranking of Direct-R is not read that deep`,
    );
  return k > 0
    ? known
    : known.map(
        score => score && (typeof score === 'number' ? 0 : { ...(score as Ratio), numerator: 0 }),
      );
}

function series(counts: Measure, column: Column, only?: ReadonlySet<number>): Series {
  return {
    measure: counts,
    scores: column.map((score, question) =>
      only?.has(question) === false ? undefined : (score ?? undefined),
    ),
  };
}
