/** Opens a durable store with its models, for programs. */

import type { Document } from '../core/corpus/document.ts';
import { InputError } from '../core/errors.ts';
import { freeCall } from '../core/trace/call.ts';
import { Run } from '../core/trace/run.ts';
import type { Trace, TraceEvent } from '../core/trace/trace.ts';
import { monotonicClock } from '../platform/clock.ts';
import { DEFAULTS } from '../run/ask.ts';
import type {
  DocumentPage,
  DocumentStore,
  IngestSource,
  IngestSummary,
  OpenStoreOptions,
  Retrieved,
  SearchHit,
  StoreAskOptions,
  StoreIngestEvent,
  StoreIngestOptions,
  StorePageOptions,
  StoreRetrieveOptions,
  StoreSearchOptions,
} from './document-store.ts';
import { ingestStore, vectorEvents } from './ingest-store.ts';
import { openSession } from './open-session.ts';
import { pageOfDocuments } from './page-documents.ts';
import { searchStore } from './search-store.ts';
import { askSession, filterOf } from './session-ask.ts';
import type { SessionModel } from './session-model.ts';
import type { StoreSession } from './store-session.ts';

/** Throws `InputError`, or `PortError` if the folder is no store or cannot be read. */
export async function openDocumentStore(
  folder: string,
  options: OpenStoreOptions = {},
): Promise<DocumentStore> {
  const { session, model } = await openSession(folder, options);
  return new OpenedStore(folder, session, model);
}

class OpenedStore implements DocumentStore {
  readonly folder: string;
  private readonly session: StoreSession;
  private readonly model: SessionModel;
  private readonly closing = new AbortController();
  private closed: Promise<void> | undefined;

  constructor(folder: string, session: StoreSession, model: SessionModel) {
    this.folder = folder;
    this.session = session;
    this.model = model;
  }

  ingest(
    source: IngestSource,
    options: StoreIngestOptions = {},
  ): Run<StoreIngestEvent, IngestSummary> {
    return new Run(this.ingested(source, options));
  }

  ask(question: string, options: StoreAskOptions = {}): Run<TraceEvent, Trace> {
    return new Run(this.asked(question, options));
  }

  retrieve(question: string, options: StoreRetrieveOptions = {}): Run<TraceEvent, Retrieved> {
    return new Run(this.retrieved(question, options));
  }

  async search(query: string, options: StoreSearchOptions = {}): Promise<SearchHit[]> {
    const signal = this.heard(options.signal);
    const { retriever = DEFAULTS.retriever, k = 10, explain = false, budget } = options;
    const limits = { budget, signal, startedAt: monotonicClock() };
    const filter = filterOf(options.filter);
    const searched = await this.session.searched(retriever);
    return (await searchStore(searched, { query, k, filter, explain, ...limits })).hits;
  }

  async documents(options: StorePageOptions = {}): Promise<DocumentPage> {
    const signal = this.heard(options.signal);
    await using snapshot = await (await this.session.store).snapshot();
    return pageOfDocuments(snapshot, { ...options, filter: filterOf(options.filter), signal });
  }

  async document(id: string): Promise<Document | undefined> {
    this.heard(undefined);
    await using snapshot = await (await this.session.store).snapshot();
    return snapshot.documents.find(document => document.id === id);
  }

  async remove(
    ids: readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<number> {
    const signal = this.heard(options.signal);
    const store = await this.session.store;
    const { removed } = await store.remove([...new Set(ids)], freeCall(signal));
    for await (const _ of vectorEvents({ store, fitted: [] }, signal));
    return removed;
  }

  close(): Promise<void> {
    this.closed ??= this.closeAll();
    return this.closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private async closeAll(): Promise<void> {
    this.closing.abort(new DOMException('The store was closed', 'AbortError'));
    await this.session.close();
    await this.model.close();
  }

  private async *ingested(
    source: IngestSource,
    options: StoreIngestOptions,
  ): AsyncGenerator<StoreIngestEvent, IngestSummary, void> {
    const signal = this.heard(options.signal);
    return yield* ingestStore(await this.session.forIngest(), source, { ...options, signal });
  }

  private async *asked(
    question: string,
    options: StoreAskOptions,
  ): AsyncGenerator<TraceEvent, Trace, void> {
    const signal = this.heard(options.signal);
    const { session, model } = this;
    return yield* askSession({ session, model, signal }, question, options);
  }

  private async *retrieved(
    question: string,
    options: StoreRetrieveOptions,
  ): AsyncGenerator<TraceEvent, Retrieved, void> {
    const trace = yield* this.asked(question, { ...options, reader: 'evidence-only' });
    const { evidence, context, ranking } = trace;
    return { evidence, context, ranking, trace };
  }

  /** Returns a signal that `close` fires too. Throws `InputError('store-closed')` after it. */
  private heard(own: AbortSignal | undefined): AbortSignal {
    if (this.closed)
      throw new InputError('store-closed', `The store "${this.folder}" is closed`, {
        hint: 'Open it again: openStore(path).',
      });
    const { signal } = this.closing;
    return own ? AbortSignal.any([own, signal]) : signal;
  }
}
