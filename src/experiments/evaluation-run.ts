/**
 * One evaluation on this machine: a data set, an embedded engine over it, rows, traces in files,
 * and the manifest that says what it was.
 */

import { InputError } from '../core/errors.ts';
import type { Family } from '../core/naming/family.ts';
import type { Heads } from '../core/trace/audit-chain.ts';
import { freeCall } from '../core/trace/call.ts';
import type { Trace } from '../core/trace/trace.ts';
import type { AnswerControl } from '../evaluation/answer-controls/answer-control.ts';
import { ControlledRows, untreatedTrace } from '../evaluation/answer-controls/controlled-rows.ts';
import { editedReader } from '../evaluation/answer-controls/edited-reader.ts';
import { withControlSummaries } from '../evaluation/control-summaries.ts';
import {
  CONTROLS,
  type Control,
  controlRow,
  controlTrace,
  isControl,
} from '../evaluation/controls.ts';
import type { DataSet, Example, Measure, Records } from '../evaluation/example.ts';
import type { Judge } from '../evaluation/judge.ts';
import { type Evaluation, evaluate, type Progress, type Row } from '../evaluation/run.ts';
import { predictQuestionType } from '../language/english/question/question-type.ts';
import type { ResourceLookup } from '../models/port.ts';
import { embedder } from '../models/ports.ts';
import { lookupIn, type Resources } from '../models/resources.ts';
import { takeTurns } from '../platform/clock.ts';
import { sha256 } from '../platform/sha256.ts';
import { readers } from '../readers/readers.ts';
import { checkSpaces, findResources, needyOf } from '../run/run-resources.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import type { Engine, SearchEngine } from '../search/engine.ts';
import { retrievers } from '../search/retrievers.ts';
import type { Snapshot } from '../search/snapshot.ts';
import { countedEmbedder, textsToEmbed } from '../session/embedding-progress.ts';
import { givenOf, openedOf } from '../session/opened-resources.ts';
import type { TraceSigner } from '../session/trace-signing.ts';
import type { RemoteEngine } from '../stores/servers/remote-engine.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { Asker, strategyOf } from './asker.ts';
import { checkCorpus } from './evaluated-engine.ts';
import { type ManifestOptions, manifestOf } from './evaluation-manifest.ts';
import type { RecordedFilterFile } from './recorded-filters.ts';

export interface EvaluationRunOptions extends ManifestOptions {
  readonly rows: readonly Row[];
  /** Holds the documents of the data set already; one in this process if missing. */
  readonly engine?: RemoteEngine;
  readonly measures: readonly Measure[];
  /** Controls that read questions alone, or repeat the rows with other evidence. */
  readonly answerControls?: readonly AnswerControl[];
  /** For the rows of multi-meta-rag(extractor=replayed). */
  readonly filters?: RecordedFilterFile;
  /**
   * The family that the rows' strategies come from, where it is over recorded filters or
   * sub-questions.
   */
  readonly strategies?: Family<Strategy>;
  /** Told after each batch of documents or passages that was embedded, or came from a cache. */
  onEmbedded?(done: number, total: number): void;
  /** Says of each answer whether it matches gold. */
  readonly judge?: Judge;
  /** Receives every trace that is scored, see `EvaluateOptions`. */
  onScored?(row: Row, example: Example, trace: Trace): void;
  /** Folder of traces, one file a row; none are written when missing. */
  readonly out?: string;
  /** If true, these hold every hit and rejection as plain JSON. */
  readonly fullTrace?: boolean;
  /** Signs every file. */
  readonly signer?: TraceSigner | undefined;
  readonly signal: AbortSignal;
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
  const engine = options.engine
    ? await givenEngine(options.engine, options)
    : await openEngine(options);
  const asker = new Asker(engine, options);
  const controls = options.controls
    ? controlsOf(dataSet.examples)
    : new Map<string, readonly string[]>();
  const positions = new Map(dataSet.examples.map((example, index) => [example.id, index]));
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
      rows: [
        ...options.rows,
        ...added.map(({ row }) => row),
        ...[...controls.keys()].map(controlRow),
      ],
      ask: async (row, example) => {
        if (controlled.has(row)) return askControlled(row, example, controlled, asker);
        const texts = controls.get(row.reader);
        return row.strategy === 'none' && texts
          ? controlTrace(row.reader, example, texts[positions.get(example.id)!]!)
          : asker.ask(row, example);
      },
      measures,
      scoredAs: (row, example) => controlled.scoredAs(row, example),
      measuresOf: (row, all) =>
        isControl(row) ? all.filter(({ reads }) => reads === 'answer') : all,
      records,
      ...(options.judge ? { judge: options.judge } : {}),
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
    ...(treatment !== 'own' && treatment.kind === 'edited'
      ? { reader: editedReader(readers.create(row.reader), treatment) }
      : {}),
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

/** Checks the rows and the documents of an engine, of which each question opens a snapshot. */
async function givenEngine(engine: RemoteEngine, options: EvaluationRunOptions): Promise<Engine> {
  await checkCorpus(engine, options.dataSet, options.signal);
  await using snapshot = await engine.snapshot();
  for (const row of options.rows)
    await checkRow(row, options, snapshot, givenOf(options.resources ?? []));
  return engine;
}

/**
 * Indexes are built and documents embedded before the first question: no question's time pays for
 * them.
 */
async function openEngine(options: EvaluationRunOptions): Promise<Snapshot> {
  const { dataSet, rows, chunker, template, signal, onEmbedded } = options;
  const progress = { done: 0, total: 0 };
  const embedders = openedOf(options.resources ?? [], embedder).map(one =>
    countedEmbedder(one, texts => onEmbedded?.((progress.done += texts), progress.total)),
  );
  const written = template === undefined ? {} : { template };
  const engine = new EmbeddedEngine({
    documents: dataSet.documents,
    chunker,
    embedders,
    ...written,
  }).current;
  const given = givenOf(options.resources ?? []);
  const lookup = lookupIn(given);
  for (const row of rows) await checkRow(row, options, engine, given);
  const names = new Set(rows.map(({ retriever }) => retriever));
  progress.total = await textsToEmbed(engine, names, lookup);
  const opened = new Set<string>();
  for (const row of rows) {
    const { units } = strategyOf(row, options);
    const key = `${row.retriever} ${units?.join() ?? ''}`;
    if (!opened.has(key)) await openIndexes(engine, row.retriever, lookup, signal, units);
    // The passages of kept sentences are named: cut here, not within the first question.
    if (units?.includes('sentence')) engine.itemsOf('passage');
    opened.add(key);
  }
  return engine;
}

/** Throws `InputError` unless all resources of the row are found and its retriever fits them. */
async function checkRow(
  row: Row,
  options: EvaluationRunOptions,
  engine: SearchEngine,
  given: Resources,
): Promise<void> {
  const strategy = strategyOf(row, options);
  const retriever = retrievers.create(row.retriever);
  const found = await findResources(
    [needyOf('strategy', strategy), needyOf('retriever', retriever)],
    given,
  );
  checkSpaces(found, retriever.bind(engine, lookupIn(given)));
}

/**
 * A search for nothing builds what a retriever searches: its own unit, or those that a strategy
 * asks of its parts.
 */
export async function openIndexes(
  engine: SearchEngine,
  name: string,
  lookup: ResourceLookup,
  signal: AbortSignal,
  units?: Strategy['units'],
): Promise<void> {
  const retriever = retrievers.create(name).bind(engine, lookup);
  const nothing = [{ text: '' }];
  if (!units) await retriever.retrieve(nothing, 0, freeCall(signal));
  // Documents are searched by words alone, so no vectors of them are made.
  for (const unit of units ?? [])
    for (const part of retriever.parts ?? [retriever])
      if (unit === 'sentence' || part.space === undefined)
        await part.retrieve(nothing, 0, freeCall(signal), { unit });
}

function controlsOf(examples: readonly Example[]): Map<string, readonly string[]> {
  const predicted = examples.map(example => predictQuestionType(example.question.text));
  return new Map(
    Object.entries(CONTROLS).map(([name, control]: [string, Control]) => [
      name,
      control(examples, predicted),
    ]),
  );
}

/** The stored texts that measures may read. */
export function recordsOf(dataSet: DataSet): Records {
  const texts = new Map(dataSet.documents.map(({ id, text }) => [id, text]));
  const titles = new Map(dataSet.documents.map(({ id, title }) => [id, title]));
  const metadata = new Map(dataSet.documents.map(document => [document.id, document.metadata]));
  return {
    text(documentId) {
      const text = texts.get(documentId);
      if (text === undefined)
        throw new InputError(
          'unknown-id',
          `There is no document "${documentId}" in the corpus of "${dataSet.name}"`,
        );
      return text;
    },
    title: documentId => titles.get(documentId) ?? '',
    metadata: documentId => metadata.get(documentId),
  };
}
