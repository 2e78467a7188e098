/** Ingests documents or files into a store, and gives them vectors. */
import type { Document } from '../../corpus/document.ts';
import { ingestEvents } from '../../ingest.ts';
import { freeCall } from '../../trace/call.ts';
import { readDocuments, type SkippedEvent } from '../formats/read-documents.ts';
import type { Store } from '../storage/store.ts';
import type {
  EmbeddedEvent,
  FittedEvent,
  IngestedPaths,
  IngestSource,
  IngestSummary,
  StoreIngestEvent,
  StoreIngestOptions,
} from './document-store.ts';
import { emittedEvents } from './emitted-events.ts';
import type { StoreSession } from './store-session.ts';

/** Yields events as they come; every document is on the disk once a `stored` event counts it. */
export async function* ingestStore(
  session: StoreSession,
  source: IngestSource,
  options: StoreIngestOptions,
): AsyncGenerator<StoreIngestEvent, IngestSummary, void> {
  const counts = new IngestCounts();
  for await (const event of allEvents(session, source, options)) {
    counts.add(event);
    yield event;
  }
  return counts.summary((await session.store).manifest.documents);
}

async function* allEvents(
  session: StoreSession,
  source: IngestSource,
  options: StoreIngestOptions,
): AsyncGenerator<StoreIngestEvent, void, void> {
  const { store, fitted } = await session.forIngest();
  const skipped: SkippedEvent[] = [];
  const documents = isPaths(source) ? filesOf(source, skipped, options.signal) : source;
  for await (const event of ingestEvents(documents, { ...options, engine: store })) {
    yield* skipped.splice(0);
    yield event;
  }
  yield* skipped.splice(0);
  yield* vectorEvents(store, fitted, options.signal);
}

/** Embeds and fits what the store lacks, and writes its indexes. */
export async function* vectorEvents(
  store: Store,
  fitted: Parameters<Store['fit']>[0],
  signal: AbortSignal | undefined,
): AsyncGenerator<EmbeddedEvent | FittedEvent, void, void> {
  yield* emittedEvents<EmbeddedEvent, void>(
    (emit, heard) =>
      store.embed(freeCall(heard), (done, total, space, unit) =>
        emit({ type: 'embedded', space, unit, done, total }),
      ),
    signal,
  );
  await store.close();
  yield* emittedEvents<FittedEvent, void>(
    (emit, heard) =>
      store.fit(fitted, freeCall(heard), (unit, space, items) =>
        emit({ type: 'fitted', space, unit, items }),
      ),
    signal,
  );
}

const isPaths = (source: IngestSource): source is IngestedPaths =>
  typeof source === 'object' && source !== null && 'paths' in source;

async function* filesOf(
  { paths, format }: IngestedPaths,
  skipped: SkippedEvent[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Document, void, void> {
  const events = readDocuments(paths, { format, ...(signal ? { signal } : {}) });
  for await (const event of events)
    if (event.type === 'document') yield event.document;
    else skipped.push(event);
}

/** Adds up the events of an ingest. */
class IngestCounts {
  private counts = { read: 0, added: 0, changed: 0, unchanged: 0 };
  private readonly skipped: Omit<SkippedEvent, 'type'>[] = [];
  private readonly embedded = new Map<string, EmbeddedEvent>();
  private readonly fitted: FittedEvent[] = [];

  add(event: StoreIngestEvent): void {
    if (event.type === 'stored') {
      const { documents: read, added, changed, unchanged } = event;
      this.counts = { read, added, changed, unchanged };
    } else if (event.type === 'embedded') this.embedded.set(`${event.unit} ${event.space}`, event);
    else if (event.type === 'fitted') this.fitted.push(event);
    else {
      const { type: _, ...rest } = event;
      this.skipped.push(rest);
    }
  }

  summary(documents: number): IngestSummary {
    const embedded = [...this.embedded.values()].map(({ space, done }) => ({ space, items: done }));
    return {
      ...this.counts,
      skipped: this.skipped,
      documents,
      embedded: bySpace(embedded),
      fitted: bySpace(this.fitted),
    };
  }
}

function bySpace(
  counted: readonly { readonly space: string; readonly items: number }[],
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { space, items } of counted) sums[space] = (sums[space] ?? 0) + items;
  return sums;
}
