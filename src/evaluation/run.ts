/**
 * Evaluation: every row answers every question, every measure scores every trace, and the bootstrap
 * says how sure the means are. Pure over its ports.
 */
import { InputError, PortError } from '../errors.ts';
import { freeCall } from '../trace/call.ts';
import type { Manifest, Trace } from '../trace/trace.ts';
import { interval, pairedDifference, resampledValues } from './bootstrap.ts';
import { MAIN_MEASURES } from './default-measures.ts';
import { emptyTrace } from './empty-trace.ts';
import type {
  Evaluation,
  EvaluationResult,
  Outcome,
  Pair,
  Row,
  RowResult,
} from './evaluation-result.ts';
import type { Example, Measure, Records, Score, Verdict } from './example.ts';
import { byGroup, groupSizes } from './groups.ts';
import type { Judge } from './judge.ts';
import { judgedManifest, unjudged } from './judging.ts';
import { BOOTSTRAP, drawResamples, type Resamples } from './resamples.ts';
import { valueOfScores } from './value-of-scores.ts';

export type {
  Estimate,
  Evaluation,
  EvaluationResult,
  Outcome,
  Pair,
  Row,
  RowResult,
  Scores,
  Values,
} from './evaluation-result.ts';

import { verdictLookup } from './verdicts.ts';

export interface Progress {
  readonly row: string;
  /**
   * Questions done and to be done, over all rows; with a judge each counts twice, asked and judged.
   */
  readonly done: number;
  readonly total: number;
  readonly failed: number;
}

export interface EvaluateOptions {
  readonly dataset: string;
  readonly examples: readonly Example[];
  readonly rows: readonly Row[];
  /**
   * Runs a row on a question. A `PortError` counts as a failed question; anything else is passed
   * on.
   */
  ask(row: Row, example: Example): Promise<Trace>;
  readonly measures: readonly Measure[];
  /** The measures of one row, where it has fewer: a control that only answers. */
  measuresOf?(row: Row, measures: readonly Measure[]): readonly Measure[];
  readonly records: Records;
  /**
   * Says of each answer whether it matches gold, once a row has answered; its verdicts are records
   * of the measures.
   */
  readonly judge?: Judge;
  /** Names of the measures whose paired differences are wanted. */
  readonly mainMeasures?: readonly string[];
  readonly manifest?: Manifest;
  readonly resamples?: number;
  readonly seed?: number;
  readonly signal?: AbortSignal;
}

/** What one row left: its scores, and the resampled values of its main measures. */
interface Scored {
  readonly result: RowResult;
  readonly scores: Readonly<Record<string, readonly (Score | undefined)[]>>;
  readonly outcomes: readonly Outcome[];
  readonly resampled: ReadonlyMap<string, Float64Array>;
}

/**
 * Yields progress after every question and returns the result. Throws the signal's reason when it
 * is aborted.
 */
export async function* evaluate(
  options: EvaluateOptions,
): AsyncGenerator<Progress, Evaluation, void> {
  checkOptions(options);
  const { examples, rows, resamples = BOOTSTRAP.resamples, seed = BOOTSTRAP.seed } = options;
  const drawn = drawResamples(examples.length, { resamples, seed });
  const scored: Scored[] = [];
  const progress = {
    done: 0,
    total: rows.length * examples.length * (options.judge ? 2 : 1),
    failed: 0,
  };
  const verdicts: Verdict[] = [];
  const judged = new Set<string>();
  for (const row of rows) {
    const measures = options.measuresOf?.(row, options.measures) ?? options.measures;
    if (options.judge) {
      // Measures may read a verdict of any answer, so traces wait until all are there; without a
      // judge none is held once it is scored.
      const asked = yield* askAll(row, options, progress, (_, one) => one);
      yield* judgeAll(row, asked, options.judge, options, { progress, verdicts, judged });
      const records = {
        ...options.records,
        verdicts: verdictLookup([...(options.records.verdicts?.all ?? []), ...verdicts]),
      };
      const left = asked.map((one, index) => scoreOne(examples[index]!, one, measures, records));
      scored.push(scoreRow(row, measures, left, options, drawn));
    } else {
      const left = yield* askAll(row, options, progress, (example, one) =>
        scoreOne(example, one, measures, options.records),
      );
      scored.push(scoreRow(row, measures, left, options, drawn));
    }
  }
  const result: EvaluationResult = {
    dataset: options.dataset,
    questions: examples.length,
    groups: groupSizes(examples),
    rows: scored.map(one => one.result),
    pairs: pairsOf(scored, options.mainMeasures ?? MAIN_MEASURES),
    manifest: {
      ...options.manifest,
      ...judgedManifest(options.judge, verdicts),
      bootstrap: { resamples, seed, generator: BOOTSTRAP.generator },
    },
  };
  const keyed = <T>(pick: (one: Scored) => T): Record<string, T> =>
    Object.fromEntries(scored.map(one => [one.result.id, pick(one)]));
  const said = options.judge ? { verdicts } : {};
  return {
    result,
    scores: keyed(one => one.scores),
    outcomes: keyed(one => one.outcomes),
    ...said,
  };
}

function checkOptions({ examples, rows, measures }: EvaluateOptions): void {
  if (examples.length === 0)
    throw new InputError('no-questions', 'There is no question to evaluate on');
  if (rows.length === 0)
    throw new InputError('no-rows', 'There is no row to evaluate', {
      hint: 'Name at least one strategy.',
    });
  for (const [what, names] of [
    ['row', rows.map(row => row.id)],
    ['measure', measures.map(one => one.name)],
  ] as const) {
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined)
      throw new InputError('duplicate-name', `Two ${what}s have the name "${twice}"`);
  }
}

interface Asked {
  readonly trace: Trace;
  readonly failed: boolean;
}

/** What a row leaves of one question when its trace is let go. */
interface Left {
  /** By measure. */
  readonly scores: readonly (Score | undefined)[];
  readonly outcome: Outcome;
}

/**
 * `keep` says what is held of each question; failed ones come last, since their empty traces take
 * after one that did not fail.
 */
async function* askAll<T>(
  row: Row,
  options: EvaluateOptions,
  progress: { done: number; total: number; failed: number },
  keep: (example: Example, asked: Asked) => T,
): AsyncGenerator<Progress, T[], void> {
  const kept = new Map<number, T>();
  let sibling: Trace | undefined;
  for (const [index, example] of options.examples.entries()) {
    options.signal?.throwIfAborted();
    const trace = await askOne(row, example, options);
    sibling ??= trace;
    if (trace) kept.set(index, keep(example, { trace, failed: false }));
    progress.done++;
    if (!trace) progress.failed++;
    yield { row: row.id, ...progress };
  }
  return options.examples.map(
    (example, index) =>
      kept.get(index) ??
      keep(example, { trace: emptyTrace(example.question, row, sibling), failed: true }),
  );
}

function scoreOne(
  example: Example,
  { trace, failed }: Asked,
  measures: readonly Measure[],
  records: Records,
): Left {
  const { answer, predictedType } = trace;
  return {
    scores: measures.map(measure => measure.score(example, trace, records)),
    outcome: { answer, ...(predictedType ? { predictedType } : {}), failed },
  };
}

/**
 * Undefined when the run failed, whether `ask` threw or ended the trace with a failing port: half a
 * run must not be lucky on a null question.
 */
async function askOne(
  row: Row,
  example: Example,
  { ask, signal }: EvaluateOptions,
): Promise<Trace | undefined> {
  try {
    const trace = await ask(row, example);
    if (trace.stopped?.by === 'abort') signal?.throwIfAborted();
    return trace.stopped?.by === 'failure' ? undefined : trace;
  } catch (error) {
    if (PortError.is(error)) return undefined;
    throw error;
  }
}

interface Judging {
  readonly progress: { done: number; total: number; failed: number };
  readonly verdicts: Verdict[];
  /** What was judged, by question and answer. */
  readonly judged: Set<string>;
}

/** Every answer of a row that was not judged for an earlier one. */
async function* judgeAll(
  row: Row,
  asked: readonly Asked[],
  judge: Judge,
  { examples, signal }: EvaluateOptions,
  { progress, verdicts, judged }: Judging,
): AsyncGenerator<Progress, void, void> {
  for (const [index, example] of examples.entries()) {
    signal?.throwIfAborted();
    const answer = unjudged(example, asked[index]!.trace, judged);
    if (answer !== undefined) verdicts.push(await judge.verdict(example, answer, freeCall(signal)));
    progress.done++;
    yield { row: row.id, ...progress };
  }
}

function scoreRow(
  row: Row,
  measures: readonly Measure[],
  left: readonly Left[],
  { examples, mainMeasures = MAIN_MEASURES }: EvaluateOptions,
  drawn: Resamples,
): Scored {
  const series = measures.map((measure, at) => ({
    measure,
    scores: left.map(({ scores }) => scores[at]),
  }));
  const valued = series.filter(({ scores }) => scores.some(score => score !== undefined));
  const values = resampledValues(drawn, valued);
  const estimates = valued.flatMap(({ measure, scores }, index) => {
    const value = valueOfScores(measure, scores);
    const bounds = interval(values[index]!);
    return value && bounds
      ? [[measure.name, { mean: value.value, ...bounds, n: value.n }] as const]
      : [];
  });
  const { id, strategy, retriever, context, reader, budget } = row;
  return {
    result: {
      ...{ id, strategy, retriever, context, reader, budget },
      measures: Object.fromEntries(estimates),
      ...byGroup(examples, valued),
      failed: left.filter(({ outcome }) => outcome.failed).length,
    },
    scores: Object.fromEntries(series.map(({ measure, scores }) => [measure.name, scores])),
    outcomes: left.map(({ outcome }) => outcome),
    resampled: new Map(
      valued.flatMap(({ measure }, index) =>
        mainMeasures.includes(measure.name) ? [[measure.name, values[index]!]] : [],
      ),
    ),
  };
}

/** Every pair of rows, for every main measure that both have. */
function pairsOf(scored: readonly Scored[], mainMeasures: readonly string[]): Pair[] {
  return scored.flatMap((a, index) =>
    scored.slice(index + 1).flatMap(b => mainMeasures.flatMap(measure => pairOf(a, b, measure))),
  );
}

function pairOf(a: Scored, b: Scored, measure: string): Pair[] {
  const [first, second] = [a.resampled.get(measure), b.resampled.get(measure)];
  const difference = first && second && pairedDifference(first, second);
  if (!difference) return [];
  const means = a.result.measures[measure]!.mean - b.result.measures[measure]!.mean;
  return [{ a: a.result.id, b: b.result.id, measure, difference: means, ...difference }];
}
