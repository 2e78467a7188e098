/**
 * Runs an evaluation: every row answers every question, every measure scores every trace, and the
 * bootstrap gives intervals. Pure over its ports.
 */
import { InputError } from '../core/errors.ts';
import { finishWithPauses } from '../core/steps.ts';
import type { Trace } from '../core/trace/trace.ts';
import { askAll, judgeAll } from './asked-rows.ts';
import { clusterResamples } from './clusters.ts';
import { mainMeasureNames } from './default-measures.ts';
import type { EvaluateOptions, Progress } from './evaluate-options.ts';
import type { Evaluation, EvaluationResult, Row } from './evaluation-result.ts';
import type { Example, Measure, Verdict } from './example.ts';
import { groupSizes } from './groups.ts';
import { judgedManifest } from './judging.ts';
import { BOOTSTRAP, drawResamplesInSteps } from './resamples.ts';
import {
  type Drawn,
  type Left,
  pairsOf,
  pausesOf,
  type Scored,
  scoreOne,
  scoreRow,
} from './scored-rows.ts';
import { verdictLookup } from './verdicts.ts';

export type { EvaluateOptions, Failure, Progress } from './evaluate-options.ts';
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

/**
 * Yields progress after every question and returns the result. Throws `InputError` for options that
 * cannot be evaluated, and the reason of the signal if it aborts.
 *
 * @example
 * ```ts
 * import { ask, type Example, ingest } from 'multihop';
 * import { evaluate, measure } from 'multihop/evaluation';
 *
 * const texts = { ada: 'Ada wrote the first program.', charles: 'Charles built the engine.' };
 * const engine = await ingest(Object.entries(texts).map(([id, text]) => ({ id, text })));
 * const example: Example = {
 *   id: 'q1',
 *   question: { id: 'q1', text: 'Who built the engine?' },
 *   answers: ['Charles'],
 *   gold: [{ documentId: 'charles', title: '' }],
 * };
 * const members = { strategy: 'iterative', retriever: 'lexical', context: 'lead' };
 * const run = evaluate({
 *   dataset: 'mine',
 *   examples: [example],
 *   rows: [{ id: 'first', ...members, reader: 'extractive', budget: {} }],
 *   ask: async (row, { question }) => ask(question.text, { ...row, engine, id: question.id }),
 *   measures: [measure('Recall@1')],
 *   records: { text: id => texts[id as keyof typeof texts] },
 * });
 * let step = await run.next();
 * while (!step.done) step = await run.next();
 * console.log(step.value.result.rows[0]);
 * ```
 */
export async function* evaluate(
  request: EvaluateOptions,
): AsyncGenerator<Progress, Evaluation, void> {
  checkOptions(request);
  const compared = request.mainMeasures ?? mainMeasureNames(request.examples, request.measures);
  const options = { ...request, mainMeasures: compared };
  const { examples, rows, resamples = BOOTSTRAP.resamples, seed = BOOTSTRAP.seed } = options;
  const pause = pausesOf(options);
  const drawn = {
    questions: await finishWithPauses(
      drawResamplesInSteps(examples.length, { resamples, seed }),
      pause,
    ),
    clusters: clusterResamples(examples, { resamples, seed }),
  };
  const run: Run = {
    progress: {
      done: 0,
      total: examples.length * rows.reduce((sum, row) => sum + (judgeOf(row, options) ? 2 : 1), 0),
      failed: 0,
    },
    verdicts: [],
    judged: new Set(),
  };
  const scored: Scored[] = [];
  for (const row of rows) scored.push(yield* evaluateRow(row, options, run, drawn));
  const result: EvaluationResult = {
    dataset: options.dataset,
    questions: examples.length,
    groups: groupSizes(examples),
    rows: scored.map(scoredRow => scoredRow.result),
    pairs: await pairsOf(scored, compared, pause),
    manifest: {
      ...options.manifest,
      ...judgedManifest(options.judge, run.verdicts),
      bootstrap: { resamples, seed, generator: BOOTSTRAP.generator },
    },
  };
  const keyed = <T>(pick: (scoredRow: Scored) => T): Record<string, T> =>
    Object.fromEntries(scored.map(scoredRow => [scoredRow.result.id, pick(scoredRow)]));
  return {
    result,
    scores: keyed(scoredRow => scoredRow.scores),
    outcomes: keyed(scoredRow => scoredRow.outcomes),
    verdicts: options.judge ? run.verdicts : undefined,
  };
}

/** Holds the counters and verdicts that all rows of an evaluation share. */
interface Run {
  readonly progress: { done: number; total: number; failed: number };
  readonly verdicts: Verdict[];
  readonly judged: Set<string>;
}

/** A judge knows the gold answers of the data set alone, which a control may change. */
const judgeOf = (row: Row, { judge }: EvaluateOptions): EvaluateOptions['judge'] =>
  row.control ? undefined : judge;

/**
 * Asks and scores one row. With a judge the traces wait until all verdicts are there, since a
 * measure may read a verdict of any answer; without one a trace is dropped once it is scored.
 */
async function* evaluateRow(
  row: Row,
  base: EvaluateOptions,
  run: Run,
  drawn: Drawn,
): AsyncGenerator<Progress, Scored, void> {
  const { scoredAs } = base;
  const options = scoredAs
    ? { ...base, examples: base.examples.map(example => scoredAs(row, example)) }
    : base;
  const judge = judgeOf(row, options);
  const { examples } = options;
  const measures: readonly Measure[] =
    options.measuresOf?.(row, options.measures) ?? options.measures;
  const seen = (example: Example, trace: Trace): void => options.onScored?.(row, example, trace);
  if (!judge) {
    const left = yield* askAll(row, options, run.progress, (example, answered) => {
      seen(example, answered.trace);
      return scoreOne(example, answered, measures, options.records);
    });
    return await scoreRow(row, measures, left, options, drawn);
  }
  const asked = yield* askAll(row, options, run.progress, (example, answered) => {
    seen(example, answered.trace);
    return answered;
  });
  yield* judgeAll(row, asked, judge, options, run);
  const verdicts = verdictLookup([...(options.records.verdicts?.all ?? []), ...run.verdicts]);
  const records = { ...options.records, verdicts };
  const left: Left[] = [];
  const pause = pausesOf(options);
  for (const [index, answered] of asked.entries()) {
    left.push(scoreOne(examples[index]!, answered, measures, records));
    await pause();
  }
  return await scoreRow(row, measures, left, options, drawn);
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
    ['measure', measures.map(answered => answered.name)],
  ] as const) {
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined)
      throw new InputError('duplicate-name', `Two ${what}s have the name "${twice}"`);
  }
}
