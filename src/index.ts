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
import { Run } from './core/trace/run.ts';
import type { Trace, TraceEvent } from './core/trace/trace.ts';
import type { OfSchema } from './models/standard-schema.ts';
import { checkNode } from './platform/node-version.ts';
import type { AskByModel } from './session/ask-by-model.ts';
import type { DocumentStore, OpenStoreOptions } from './session/document-store.ts';

/**
 * Opens a store on the disk with the models that search it. Throws `InputError` for wrong options,
 * `PortError` if the folder is no store or cannot be read.
 *
 * @example
 * ```ts
 * import { openStore } from 'multihop';
 *
 * await using store = await openStore('notes.store');
 * await store.ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * const { answer, evidence } = await store.ask('Who wrote the program?');
 * console.log(answer.kind === 'answered' && answer.text, evidence.length);
 * ```
 *
 * ```text
 * Ada 2
 * ```
 */
export async function openStore(
  path: string,
  options: OpenStoreOptions = {},
): Promise<DocumentStore> {
  const { openDocumentStore } = await import('./session/open-store.ts');
  return openDocumentStore(path, options);
}

/**
 * Answers a question over an engine, or abstains and says why. `await` returns the trace, `for
 * await` its events, hop by hop. `model` is a language model, of the AI SDK too; with a `schema` it
 * answers in that form, and `value` of the trace is the validated answer. The run throws
 * `InputError` for wrong options; limits, failing ports and aborts end the trace and are named in
 * it.
 *
 * @example
 * ```ts
 * import { ask, ingest } from 'multihop';
 *
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * const { answer, spent, stopped } = await ask('Who built the engine?', {
 *   engine,
 *   budget: { hops: 3, documents: 6 },
 * });
 * console.log(answer.kind === 'answered' && answer.text, spent.documents, stopped);
 * ```
 *
 * ```text
 * Charles 2 undefined
 * ```
 */
export function ask<T = unknown>(
  question: string,
  options: AskByModel & OfSchema<T>,
): Run<TraceEvent, Trace<T>> {
  return new Run(asked(question, options) as AsyncGenerator<TraceEvent, Trace<T>, void>);
}

async function* asked(
  ...request: [question: string, options: AskByModel]
): AsyncGenerator<TraceEvent, Trace, void> {
  const { askByModel } = await import('./session/ask-by-model.ts');
  return yield* askByModel(...request);
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
export { ingest } from './session/verbs.ts';
export type { Kit, Strategy } from './strategies/strategy.ts';

checkNode();
