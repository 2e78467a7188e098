/**
 * The public surface for browsers and workers: `index.ts` without the disk, so that no module of
 * Node is reachable. Engines in memory answer as on Node.
 */
import type { DocumentStore, OpenStoreOptions } from './edges/serving/document-store.ts';
import { InputError } from './errors.ts';

/** Throws `InputError('no-disk')`: stores need a disk. */
export async function openStore(
  _path: string,
  _options: OpenStoreOptions = {},
): Promise<DocumentStore> {
  throw new InputError('no-disk', 'openStore needs a disk, which browsers and workers lack', {
    expected: 'Node',
    hint: 'Ingest the documents into an engine in memory: const engine = await ingest(documents).',
  });
}

export type { AskOptions } from './ask.ts';
export type { Context } from './context/context.ts';
export type { Document, Metadata, Passage } from './corpus/document.ts';
export type { Filter } from './corpus/filter.ts';
export type {
  DocumentStore,
  OpenStoreOptions,
  SearchHit,
} from './edges/serving/document-store.ts';
export { ask, ingest } from './edges/verbs.ts';
export { InputError, PortError } from './errors.ts';
export type { Example, Measure } from './evaluation/example.ts';
export type { IngestEvent, Ingestible, IngestOptions } from './ingest.ts';
export type { Completion, LanguageModel, Prompt } from './models/language-model.ts';
export type { Hit, Ranking, Unit } from './ranking/ranking.ts';
export type { Reader } from './reading/reader.ts';
export type { Engine, SearchEngine } from './retrieval/engine.ts';
export type { Retriever, UnboundRetriever } from './retrieval/retriever.ts';
export type { Kit, Strategy } from './strategies/strategy.ts';
export { Run } from './trace/run.ts';
export type {
  Answer,
  Citation,
  Evidence,
  EvidenceItem,
  Hop,
  Question,
  Trace,
  TraceEvent,
} from './trace/trace.ts';
export type { Budget, Usage } from './trace/usage.ts';
