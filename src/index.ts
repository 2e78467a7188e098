/**
 * The public surface on Node: stores on the disk, `ask` and `ingest` over engines in memory, the
 * errors, and the types that a program names.
 *
 * Everything is loaded when it is first used, so that importing the package costs next to nothing.
 * The families (strategies, retrievers, contexts, readers, ...) and the parts to build one's own
 * from stand in the rooms: `multihop/strategies`, `multihop/retrieval`, and so on.
 *
 * @module multihop
 */
import { checkNode } from './edges/node-version.ts';
import type { DocumentStore, OpenStoreOptions } from './edges/serving/document-store.ts';

/**
 * Opens a store on the disk with the models that search it. Throws `InputError` for wrong options,
 * `PortError` if the folder is no store or cannot be read.
 *
 * @example
 * ```ts
 * import { openStore } from 'multihop';
 *
 * await using store = await openStore('notes.store');
 * await store.ingest(['Ada wrote the first program.', 'Charles built the engine.']);
 * const { answer, evidence } = await store.ask('Who wrote the first program?');
 * console.log(answer, evidence.length);
 * ```
 */
export async function openStore(
  path: string,
  options: OpenStoreOptions = {},
): Promise<DocumentStore> {
  const { openDocumentStore } = await import('./edges/serving/open-store.ts');
  return openDocumentStore(path, options);
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

checkNode();
