/**
 * One evaluation on this machine: a data set, an embedded engine over it, rows, traces in files,
 * and the manifest that says what it was.
 */

import { InputError } from '../core/errors.ts';
import type { Heads } from '../core/trace/audit-chain.ts';
import type { Trace } from '../core/trace/trace.ts';
import type { AnswerControl } from '../evaluation/answer-controls/answer-control.ts';
import { ControlledRows, untreatedTrace } from '../evaluation/answer-controls/controlled-rows.ts';
import { editedReader } from '../evaluation/answer-controls/edited-reader.ts';
import { withControlSummaries } from '../evaluation/control-summaries.ts';
import { controlTrace, isControl } from '../evaluation/controls.ts';
import type { Example, Measure } from '../evaluation/example.ts';
import type { Judge } from '../evaluation/judge.ts';
import { type Evaluation, evaluate, type Progress, type Row } from '../evaluation/run.ts';
import { takeTurns } from '../platform/clock.ts';
import { sha256 } from '../platform/sha256.ts';
import { readers } from '../readers/readers.ts';
import type { Place } from '../search/place.ts';
import type { TraceSigner } from '../session/trace-signing.ts';
import { Asker } from './asker.ts';
import { type EvaluatedOptions, openEvaluated } from './evaluated-engine.ts';
import { type ManifestOptions, manifestOf } from './evaluation-manifest.ts';
import { recordsOf } from './stored-records.ts';

export interface EvaluationRunOptions extends ManifestOptions, EvaluatedOptions {
  readonly place?: Place;
  readonly measures: readonly Measure[];
  /** Controls that read questions alone, or repeat the rows with other evidence. */
  readonly answerControls?: readonly AnswerControl[];
  /** Says of each answer whether it matches gold. */
  readonly judge?: Judge;
  /** Receives every trace that is scored, see `EvaluateOptions`. */
  onScored?(row: Row, example: Example, trace: Trace): void;
  /** The number of questions that are asked side by side; 1 if missing. */
  readonly parallel?: number | undefined;
  /** The number of answers that are judged side by side; 1 if missing. */
  readonly judgedAtOnce?: number | undefined;
  /** Folder of traces, one file a row; none are written when missing. */
  readonly out?: string;
  /** If true, these hold every hit and rejection as plain JSON. */
  readonly fullTrace?: boolean;
  /** Signs every file. */
  readonly signer?: TraceSigner | undefined;
}

export interface EvaluationRun extends Evaluation {
  /** By row id: the trace file's name and its heads. */
  readonly traces: Readonly<Record<string, { readonly file: string; readonly heads: Heads }>>;
}

/** Yields progress after every question. Trace files are sealed however the run ends. */
export async function* runEvaluation(
  options: EvaluationRunOptions,
): AsyncGenerator<Progress, EvaluationRun, void> {
  const { dataSet, measures, signal } = options;
  if (dataSet.documents.length === 0)
    throw new InputError('empty-corpus', `The corpus of "${dataSet.name}" holds no document`);
  const asker = new Asker(await openEvaluated(options), options);
  const records = recordsOf(dataSet);
  const controlled = new ControlledRows(
    { rows: options.rows, controls: options.answerControls ?? [] },
    dataSet.examples,
    records,
  );
  const { added } = controlled;
  try {
    const evaluation = yield* evaluate({
      dataset: dataSet.name,
      examples: dataSet.examples,
      rows: [...options.rows, ...added.map(({ row }) => row)],
      ask: (row, example) =>
        controlled.has(row)
          ? askControlled(row, example, controlled, asker)
          : asker.ask(row, example),
      parallel: options.parallel,
      judgedAtOnce: options.judgedAtOnce,
      measures,
      scoredAs: (row, example) => controlled.scoredAs(row, example),
      measuresOf: (row, all) =>
        isControl(row) ? all.filter(({ reads }) => reads === 'answer') : all,
      records,
      judge: options.judge,
      onScored: (row, example, trace) => {
        controlled.note(row, example, trace);
        if (!row.control) options.onScored?.(row, example, trace);
      },
      manifest: manifestOf(options),
      signal,
      turn: takeTurns,
    });
    const judged = withVerdictsHash(evaluation);
    return { ...withControlSummaries(judged, added, dataSet.examples), traces: asker.close() };
  } finally {
    asker.close();
  }
}

/** Returns the trace of a question under a row's control. */
async function askControlled(
  row: Row,
  example: Example,
  controlled: ControlledRows,
  asker: Asker,
): Promise<Trace> {
  const treatment = controlled.treatment(row, example);
  if (!treatment) return untreatedTrace(row, example);
  if (treatment !== 'own' && treatment.kind === 'says')
    return controlTrace(row.reader, example, treatment.text);
  return asker.ask(row, example, {
    hops: controlled.hopsOf(row, example, treatment),
    reader:
      treatment !== 'own' && treatment.kind === 'edited'
        ? editedReader(readers.create(row.reader), treatment)
        : undefined,
  });
}

/** Adds the hash of the verdicts to the manifest. */
function withVerdictsHash(evaluation: Evaluation): Evaluation {
  const { verdicts, result } = evaluation;
  if (!verdicts) return evaluation;
  const judge = {
    ...(result.manifest['judge'] as object),
    sha256: sha256(JSON.stringify(verdicts)),
  };
  return { ...evaluation, result: { ...result, manifest: { ...result.manifest, judge } } };
}
