/** Opens a durable store with its models, for programs. */

import type { Document } from '../core/corpus/document.ts';
import { describeValue, InputError } from '../core/errors.ts';
import { Run } from '../core/trace/run.ts';
import type { Trace, TraceEvent } from '../core/trace/trace.ts';
import type { OfSchema } from '../models/standard-schema.ts';
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
import { Session } from './session.ts';

/** Throws `InputError`, or `PortError` if the place is no store or cannot be read. */
export async function openDocumentStore(
  place: string,
  options: OpenStoreOptions = {},
): Promise<DocumentStore> {
  const session = await Session.open(place, { create: true, ...options });
  await session.ready();
  return new OpenedStore(session);
}

/** Returns the session of a store. Throws `InputError('bad-store')` for one made otherwise. */
export function sessionOf(store: DocumentStore): Session {
  if (store instanceof OpenedStore) return store.session;
  throw new InputError('bad-store', 'The store', {
    expected: 'a store that openStore returned',
    received: describeValue(store),
  });
}

class OpenedStore implements DocumentStore {
  readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  get place(): string {
    return this.session.label;
  }

  ingest(
    source: IngestSource,
    options: StoreIngestOptions = {},
  ): Run<StoreIngestEvent, IngestSummary> {
    return new Run(this.session.ingest(source, options));
  }

  ask<T>(question: string, options: StoreAskOptions & OfSchema<T> = {}): Run<TraceEvent, Trace<T>> {
    return new Run(this.asked(question, options) as AsyncGenerator<TraceEvent, Trace<T>, void>);
  }

  retrieve(question: string, options: StoreRetrieveOptions = {}): Run<TraceEvent, Retrieved> {
    return new Run(this.retrieved(question, options));
  }

  async search(query: string, options: StoreSearchOptions = {}): Promise<SearchHit[]> {
    return (await this.session.search(query, options)).hits;
  }

  documents(options: StorePageOptions = {}): Promise<DocumentPage> {
    return this.session.documents(options);
  }

  async document(id: string): Promise<Document | undefined> {
    try {
      return (await this.session.read([id]))[0];
    } catch (error) {
      if (InputError.is(error) && error.code === 'unknown-id') return undefined;
      throw error;
    }
  }

  async remove(
    ids: readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<number> {
    const events = this.session.remove(ids, options.signal);
    return await new Run(events);
  }

  close(): Promise<void> {
    return this.session[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private async *asked(
    question: string,
    options: StoreAskOptions,
  ): AsyncGenerator<TraceEvent, Trace, void> {
    await using run = await this.session.ask(question, options);
    return yield* run.events;
  }

  private async *retrieved(
    question: string,
    options: StoreRetrieveOptions,
  ): AsyncGenerator<TraceEvent, Retrieved, void> {
    const trace = yield* this.asked(question, { ...options, reader: 'evidence-only' });
    const { evidence, context, ranking } = trace;
    return { evidence, context, ranking, trace };
  }
}
