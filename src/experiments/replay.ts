/** Replay: recorded traces are verified and scored again, with nothing searched. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InputError } from '../core/errors.ts';
import { drain } from '../core/steps.ts';
import type { DataSet, Example, Measure, Verdict } from '../evaluation/example.ts';
import {
  type EvaluateOptions,
  type Evaluation,
  type EvaluationResult,
  evaluate,
  type Progress,
  type Row,
} from '../evaluation/run.ts';
import { verdictLookup } from '../evaluation/verdicts.ts';
import { recordsOf } from './stored-records.ts';
import { type ByteRange, type RecordedTrace, recordedTraces } from './trace-reader.ts';

export interface Recorded {
  readonly file: string;
  readonly traces: readonly RecordedTrace[];
}

/**
 * The traces of files, verified and left on the disk; `onRead` is called with the place of each
 * event. Throws `InputError` for a trace that does not verify.
 */
export async function readRecorded(
  files: readonly string[],
  onRead: (file: string, line: ByteRange) => void = () => {},
): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  for (const file of files)
    recorded.push({ file, traces: await recordedTraces(file, line => onRead(file, line)) });
  return recorded;
}

/** Returns the trace files of a path. Throws `InputError`: `missing-file`, `no-traces`. */
export function traceFiles(path: string): string[] {
  if (!existsSync(path)) throw new InputError('missing-file', `There is no file or folder ${path}`);
  if (statSync(path).isFile()) return [path];
  const folder = existsSync(join(path, 'traces')) ? join(path, 'traces') : path;
  const files = readdirSync(folder)
    .filter(name => name.endsWith('.jsonl'))
    .sort()
    .map(name => join(folder, name));
  if (files.length === 0)
    throw new InputError('no-traces', `There are no traces in ${path}`, {
      expected: 'a trace file, or a folder written by multihop eval --out DIR',
    });
  return files;
}

/** A row whose questions were asked before, by question id. */
export interface TracedRow extends Row {
  readonly traces: ReadonlyMap<string, Pick<RecordedTrace, 'read'>>;
}

/** Says what else an evaluation of recorded traces needs, and who watches it. */
export interface Rescoring {
  readonly signal: AbortSignal;
  /** Verdicts of a judge on the answers then: no judge is asked again. */
  readonly verdicts?: readonly Verdict[];
  /** Called after each trace. */
  readonly onStep?: (step: Progress) => void;
  readonly onScored?: EvaluateOptions['onScored'];
}

/**
 * Scores recorded traces against a data set, one row a file. Throws `InputError` when a question of
 * the data set is not among them.
 */
export async function rescore(
  recorded: readonly Recorded[],
  dataSet: DataSet,
  measures: readonly Measure[],
  rescoring: Rescoring,
): Promise<EvaluationResult> {
  const ids = new Set<string>();
  const rows = recorded.map(({ file, traces }, index): TracedRow => {
    const first = traces[0]?.asked;
    if (!first) throw new InputError('bad-trace', `${file} holds no complete trace`);
    const id = `${first.strategy} (${basename(file)})`;
    const { strategy, retriever, context, reader, budget } = first;
    return {
      id: ids.size === ids.add(id).size ? `${id} (${index + 1})` : id,
      strategy,
      retriever,
      context,
      reader,
      budget,
      traces: new Map(traces.map(trace => [trace.asked.question.id, trace])),
    };
  });
  return (await scoreRows(rows, dataSet, measures, rescoring)).evaluation.result;
}

/** Scores traces on the questions that every row has; returns these too. */
export async function scoreRows(
  traced: readonly TracedRow[],
  dataSet: DataSet,
  measures: readonly Measure[],
  { signal, verdicts = [], onStep = () => {}, onScored = () => {} }: Rescoring,
): Promise<{ readonly evaluation: Evaluation; readonly examples: readonly Example[] }> {
  const examples = dataSet.examples.filter(({ id }) =>
    traced.every(({ traces }) => traces.has(id)),
  );
  if (examples.length === 0)
    throw new InputError(
      'no-questions',
      'No question of the data set was recorded in every trace file',
      { hint: 'Give the questions that the traces were made with.' },
    );
  const byRow = new Map(traced.map(({ id, traces }) => [id, traces]));
  const run = evaluate({
    dataset: dataSet.name,
    examples,
    rows: traced.map(({ traces: _, ...row }) => row),
    ask: async (row, example) => byRow.get(row.id)!.get(example.id)!.read(),
    measures,
    records: {
      ...recordsOf(dataSet),
      verdicts: verdicts.length > 0 ? verdictLookup(verdicts) : undefined,
    },
    onScored,
    manifest: { replayed: true, dataset: dataSet.name, traces: traced.map(({ id }) => id) },
    signal,
  });
  return { evaluation: await drain(run, onStep), examples };
}
