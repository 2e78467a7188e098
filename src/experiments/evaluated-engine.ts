/** Opens the engines of an evaluation: in this process, or a place that has the corpus. */
import type { Document } from '../core/corpus/document.ts';
import { InputError } from '../core/errors.ts';
import type { Family } from '../core/naming/family.ts';
import type { ResourceLookup } from '../core/port.ts';
import { freeCall } from '../core/trace/call.ts';
import { withLanguage } from '../documents/document-language.ts';
import type { Row } from '../evaluation/evaluation-result.ts';
import type { DataSet } from '../evaluation/example.ts';
import type { Embedder } from '../models/embedder.ts';
import { embedder, entityRecogniser } from '../models/ports.ts';
import { lookupIn, type Resources } from '../models/resources.ts';
import { checkSpaces, findResources, needyOf } from '../run/run-resources.ts';
import { claimBase } from '../search/claims/stored-claims.ts';
import { sameDocument } from '../search/corpus/plan-put.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import type { Engine, SearchEngine } from '../search/engine.ts';
import { sentenceEntities } from '../search/graphs/sentence-entities.ts';
import type { Place } from '../search/place.ts';
import { retrievers } from '../search/retrievers.ts';
import type { Snapshot } from '../search/snapshot.ts';
import { countedEmbedder, textsToEmbed } from '../session/embedding-progress.ts';
import { openedOf, resourcesByPort } from '../session/opened-resources.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { type EngineOf, strategyOf } from './asker.ts';
import type { ManifestOptions } from './evaluation-manifest.ts';

export interface EvaluatedOptions
  extends Pick<
    ManifestOptions,
    'dataSet' | 'chunker' | 'template' | 'passages' | 'resources' | 'claims'
  > {
  readonly rows: readonly Row[];
  /** Holds the documents of the data set already; an engine in this process if missing. */
  readonly place?: Place;
  /**
   * The family that the rows' strategies come from, where it is over recorded filters or
   * sub-questions.
   */
  readonly strategies?: Family<Strategy>;
  /** Told after each batch of documents or passages that was embedded, or came from a cache. */
  onEmbedded?(done: number, total: number): void;
  readonly signal: AbortSignal;
}

/** Throws `InputError` unless every row can be asked of the engines. */
export async function openEvaluated(options: EvaluatedOptions): Promise<EngineOf> {
  const { place, passages, dataSet } = options;
  if (passages === 'own') return ownEngines(options);
  const engine = await (place ? engineOf(place, options) : openedBy(options)(dataSet.documents));
  return async () => engine;
}

/** Makes the engine of each question at its first use; rows share it. */
async function ownEngines(options: EvaluatedOptions): Promise<EngineOf> {
  const { place, dataSet } = options;
  const { name, documents, examples } = dataSet;
  if (place || examples.some(({ within }) => within === undefined))
    throw new InputError('bad-option', 'The option --passages own', {
      expected:
        'a data set whose questions bring their passages: hotpotqa, 2wikimultihopqa, musique',
      received: place ? '--store' : name,
    });
  const byId = new Map(documents.map(document => [document.id, document]));
  const open = openedBy(options);
  const engines = new Map<string | undefined, Promise<Snapshot>>();
  const engineOf: EngineOf = example => {
    let engine = engines.get(example?.id);
    if (!engine) {
      engine = open(example ? example.within!.map(id => byId.get(id)!) : documents);
      engines.set(example?.id, engine);
    }
    return engine;
  };
  // Refuses a wrong row before any work.
  await engineOf(examples[0]);
  return engineOf;
}

/**
 * Checks the rows and the documents of a place. Each question opens another snapshot, so that
 * a snapshot that a server loses costs no other question.
 */
async function engineOf(place: Place, options: EvaluatedOptions): Promise<Engine> {
  await checkCorpus(place, options.dataSet, options.signal);
  await using snapshot = await place.snapshot();
  const resources = resourcesByPort(options.resources ?? []);
  for (const row of options.rows) await checkRow(row, options, snapshot.engine, resources);
  return {
    put: (documents, call) => place.put(documents, call),
    remove: (ids, call) => place.remove(ids, call),
    snapshot: async () => (await place.snapshot()).engine,
  };
}

/**
 * Returns what makes engines in this process. Indexes are built, documents embedded and read into
 * the graph before the engine is asked: no question's time pays for them.
 */
function openedBy(
  options: EvaluatedOptions,
): (documents: readonly Document[]) => Promise<Snapshot> {
  const progress = { done: 0, total: 0 };
  const opened = options.resources ?? [];
  const embedders = openedOf(opened, embedder).map(each =>
    countedEmbedder(each, texts => options.onEmbedded?.((progress.done += texts), progress.total)),
  );
  return documents => embeddedEngine(documents, embedders, progress, options);
}

async function embeddedEngine(
  documents: readonly Document[],
  embedders: readonly Embedder[],
  progress: { total: number },
  options: EvaluatedOptions,
): Promise<Snapshot> {
  const { rows, chunker, template, claims, signal } = options;
  const [recogniser] = openedOf(options.resources ?? [], entityRecogniser);
  const parts = { documents, chunker, embedders, template, recogniser, claims };
  const engine = new EmbeddedEngine(parts).current;
  const resources = resourcesByPort(options.resources ?? []);
  const lookup = lookupIn(resources);
  for (const row of rows) await checkRow(row, options, engine, resources);
  const names = new Set(rows.map(({ retriever }) => retriever));
  progress.total += await textsToEmbed(engine, names, lookup);
  const opened = new Set<string>();
  for (const row of rows) {
    const { units } = strategyOf(row, options);
    const key = `${row.retriever} ${units?.join() ?? ''}`;
    if (!opened.has(key)) await openIndexes(engine, row.retriever, lookup, signal, units);
    // Kept sentences name their passages: cut here, not within the first question.
    if (units?.includes('sentence')) engine.itemsOf('passage');
    opened.add(key);
  }
  if (recogniser) await engine.openDerived(sentenceEntities(recogniser), freeCall(signal));
  if (claims) await engine.openDerived(claimBase(claims), freeCall(signal));
  return engine;
}

/** Throws `InputError` unless all resources of the row are found and its retriever fits them. */
async function checkRow(
  row: Row,
  options: EvaluatedOptions,
  engine: SearchEngine,
  resources: Resources,
): Promise<void> {
  const strategy = strategyOf(row, options);
  const retriever = retrievers.create(row.retriever);
  const found = await findResources(
    [needyOf('strategy', strategy), needyOf('retriever', retriever)],
    resources,
  );
  checkSpaces(found, retriever.bind(engine, lookupIn(resources)));
}

/**
 * A search for nothing builds what a retriever searches: its unit, or those that a strategy asks of
 * its parts.
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

/** Documents that are compared, evenly spread over the data set. */
const SAMPLE = 100;

/**
 * Compares the number of documents and a sample of them, with and without the language that an
 * ingest adds. Throws `InputError('other-corpus')`, and
 * `InputError('unknown-id')` for a missing document.
 */
async function checkCorpus(
  place: Place,
  { name, documents }: DataSet,
  signal: AbortSignal,
): Promise<void> {
  const call = freeCall(signal);
  const other = (expected: string, received: string): InputError =>
    new InputError('other-corpus', `The place "${place.label}" holds another corpus`, {
      expected,
      received,
      hint: 'Ingest the corpus of the data set under another name.',
    });
  const state = await place.state(call);
  if (state.documents !== documents.length)
    throw other(`the ${documents.length} documents of "${name}"`, `${state.documents} documents`);
  const step = Math.max(1, Math.floor(documents.length / SAMPLE));
  const sample = documents.filter((_, at) => at % step === 0);
  await using snapshot = await place.snapshot();
  const stored = await snapshot.engine.read(
    'document',
    sample.map(({ id }) => id),
    call,
  );
  for (const [at, document] of sample.entries())
    if (
      !sameDocument(document, stored[at]!) &&
      !sameDocument(await withLanguage(document), stored[at]!)
    )
      throw other(`the document "${document.id}" of "${name}"`, 'another document of that id');
}
