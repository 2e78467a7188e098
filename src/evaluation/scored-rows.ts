/** Scores the traces of a row, and compares rows pair by pair. */

import { defined } from '../core/defined.ts';
import { finishWithPauses } from '../core/steps.ts';
import type { Asked } from './asked-rows.ts';
import { interval, pairedDifference, resampledValuesInSteps } from './bootstrap.ts';
import type { EvaluateOptions } from './evaluate-options.ts';
import type { Estimate, Outcome, Pair, Row, RowResult } from './evaluation-result.ts';
import type { Example, Measure, Records, Score } from './example.ts';
import { byGroup } from './groups.ts';
import type { Resamples } from './resamples.ts';
import { valueOfScores } from './value-of-scores.ts';

/** Holds the scores of one row, and the resampled values of its main measures. */
export interface Scored {
  readonly result: RowResult;
  readonly scores: Readonly<Record<string, readonly (Score | undefined)[]>>;
  readonly outcomes: readonly Outcome[];
  readonly resampled: ReadonlyMap<string, Float64Array>;
}

/** Holds what a row leaves of one question when its trace is dropped. */
export interface Left {
  /** By measure. */
  readonly scores: readonly (Score | undefined)[];
  readonly outcome: Outcome;
}

/** Resamples that all rows share. */
export interface Drawn {
  readonly questions: Resamples;
  /** Missing if questions share no gold article. */
  readonly clusters: Resamples | undefined;
}

/** Scores one trace by every measure. */
export function scoreOne(
  example: Example,
  { trace, failed }: Asked,
  measures: readonly Measure[],
  records: Records,
): Left {
  const { answer, predictedType } = trace;
  return {
    scores: measures.map(measure => measure.score(example, trace, records)),
    outcome: { answer, predictedType, failed },
  };
}

/** Returns the values of a row with their intervals. Throws the reason of an abort. */
export async function scoreRow(
  row: Row,
  measures: readonly Measure[],
  left: readonly Left[],
  { examples, mainMeasures = [], turn, signal }: EvaluateOptions,
  drawn: Drawn,
): Promise<Scored> {
  const pause = pausesOf({ turn, signal });
  const series = measures.map((measure, at) => ({
    measure,
    scores: left.map(({ scores }) => scores[at]),
  }));
  const valued = series.filter(({ scores }) => scores.some(score => score !== undefined));
  await pause();
  const values = await finishWithPauses(resampledValuesInSteps(drawn.questions, valued), pause);
  const wide =
    drawn.clusters &&
    (await finishWithPauses(resampledValuesInSteps(drawn.clusters, valued), pause));
  const estimates: [string, Estimate][] = [];
  for (const [index, { measure, scores }] of valued.entries()) {
    await pause();
    const value = valueOfScores(measure, scores);
    const bounds = interval(values[index]!);
    const clustered = wide && interval(wide[index]!);
    if (value && bounds)
      estimates.push([measure.name, { mean: value.value, ...bounds, clustered, n: value.n }]);
  }
  const { id, strategy, retriever, context, reader, budget, rules, control } = row;
  return {
    result: defined<RowResult>({
      id,
      strategy,
      retriever,
      context,
      reader,
      budget,
      rules,
      control,
      measures: Object.fromEntries(estimates),
      ...byGroup(examples, valued),
      failed: left.filter(({ outcome }) => outcome.failed).length,
    }),
    scores: Object.fromEntries(series.map(({ measure, scores }) => [measure.name, scores])),
    outcomes: left.map(({ outcome }) => outcome),
    resampled: new Map(
      valued.flatMap(({ measure }, index) =>
        mainMeasures.includes(measure.name) ? [[measure.name, values[index]!]] : [],
      ),
    ),
  };
}

/** Compares every pair of rows, by every main measure that both have. Throws like `pause`. */
export async function pairsOf(
  scored: readonly Scored[],
  mainMeasures: readonly string[],
  pause: () => Promise<void>,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (const [index, a] of scored.entries())
    for (const b of scored.slice(index + 1))
      for (const measure of mainMeasures) {
        pairs.push(...pairOf(a, b, measure));
        await pause();
      }
  return pairs;
}

/** Returns pauses that give the process a turn, and throw the reason of an abort. */
export function pausesOf({
  turn,
  signal,
}: Pick<EvaluateOptions, 'turn' | 'signal'>): () => Promise<void> {
  return async () => {
    await turn?.();
    signal?.throwIfAborted();
  };
}

function pairOf(a: Scored, b: Scored, measure: string): Pair[] {
  const [first, second] = [a.resampled.get(measure), b.resampled.get(measure)];
  const difference = first && second && pairedDifference(first, second);
  if (!difference) return [];
  const means = a.result.measures[measure]!.mean - b.result.measures[measure]!.mean;
  return [{ a: a.result.id, b: b.result.id, measure, difference: means, ...difference }];
}
