/**
 * The public surface for browsers and workers: `index.ts` without the disk, so that no module of
 * Node is reachable. Engines in memory answer as on Node.
 */

import { InputError } from './core/errors.ts';
import type { DocumentStore, OpenStoreOptions } from './session/document-store.ts';

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

export type { Context } from './context/context.ts';
export type { Document, Ingestible, Metadata, Passage } from './core/corpus/document.ts';
export type { Filter } from './core/corpus/filter.ts';
export { InputError, PortError } from './core/errors.ts';
export type { Hit, Ranking, Unit } from './core/ranking/ranking.ts';
export { Run } from './core/trace/run.ts';
export type {
  Answer,
  Citation,
  Evidence,
  EvidenceItem,
  Hop,
  Question,
  Trace,
  TraceEvent,
} from './core/trace/trace.ts';
export type { Budget, Usage } from './core/trace/usage.ts';
export type { Example, Measure } from './evaluation/example.ts';
export type { Completion, LanguageModel, Prompt } from './models/language-model.ts';
export type { Reader } from './readers/reader.ts';
export type { AskOptions } from './run/ask.ts';
export type { IngestEvent, IngestOptions } from './run/ingest.ts';
export type { Engine, SearchEngine } from './search/engine.ts';
export type { Retriever, UnboundRetriever } from './search/retriever.ts';
export type {
  DocumentStore,
  OpenStoreOptions,
  SearchHit,
} from './session/document-store.ts';
export { ask, ingest } from './session/verbs.ts';
export type { Kit, Strategy } from './strategies/strategy.ts';
