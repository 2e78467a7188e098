/** Ingests documents or files into a place, and gives them vectors. */

import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import { type Call, freeCall } from '../core/trace/call.ts';
import { withLanguage } from '../documents/document-language.ts';
import type { SkippedEvent } from '../documents/format.ts';
import { readDocuments } from '../documents/read-documents.ts';
import { BatchedWrites, type IngestEvent, storedEvents } from '../run/ingest.ts';
import type { Engine } from '../search/engine.ts';
import { DOCUMENT_LINKS } from '../search/links/document-links.ts';
import type { Place } from '../search/place.ts';
import { draftOf } from '../stores/disk/late-documents.ts';
import { withoutIndexes } from '../stores/disk/manifest.ts';
import type { Store } from '../stores/disk/store.ts';
import type {
  EmbeddedEvent,
  GraphEvent,
  IngestedPaths,
  IngestSource,
  IngestSummary,
  StoreIngestEvent,
  StoreIngestOptions,
  VectorEvent,
} from './document-store.ts';
import type { ComputedTexts } from './embedding-progress.ts';
import { emittedEvents } from './emitted-events.ts';
import { FileReading, type Vanished } from './file-reading.ts';
import type { Models } from './models.ts';
import { FolderPlace } from './places/folder-place.ts';
import { type ReadingSpending, spentSince } from './recognisers.ts';

/** A place open for an ingest. */
export interface IngestTarget {
  readonly place: Place;
  /** Reports the texts that the embedders of the place compute. */
  readonly computed?: ComputedTexts;
  /** Tell what language models read for the graph and for claims since they were opened. */
  readonly models?: Pick<Models, 'graphSpent' | 'claimsSpent'>;
}

/** Yields events as they come; every document is stored once a `stored` event counts it. */
export async function* ingestInto(
  target: IngestTarget,
  source: IngestSource | FileReading | undefined,
  options: StoreIngestOptions,
): AsyncGenerator<StoreIngestEvent, IngestSummary, void> {
  const counts = new IngestCounts();
  const { place } = target;
  const { models } = target;
  const graphModel = await spentFrom(async () => models?.graphSpent());
  const claimsModel = await spentFrom(async () => models?.claimsSpent());
  const reading = await readingOf(place, source, options.signal);
  for await (const event of allEvents(target, reading, options, counts)) {
    counts.add(event);
    yield event;
  }
  const { documents } = await place.state(freeCall());
  return defined<IngestSummary>({
    ...counts.summary(documents),
    graphModel: await graphModel(),
    claimsModel: await claimsModel(),
  });
}

/** Returns what reads the work of a model from now on. */
async function spentFrom<Spent extends ReadingSpending>(
  spent: () => Promise<Spent | undefined>,
): Promise<() => Promise<Spent | undefined>> {
  const before = await spent();
  return async () => {
    const after = await spent();
    return before && after ? spentSince(before, after) : undefined;
  };
}

type Reading = Exclude<IngestSource, IngestedPaths> | FileReading | undefined;

/** A folder knows which files it was made of; elsewhere all of them are read. */
async function readingOf(
  place: Place,
  source: IngestSource | FileReading | undefined,
  signal: AbortSignal | undefined,
): Promise<Reading> {
  if (source === undefined || !isPaths(source)) return source;
  if (place instanceof FolderPlace) return FileReading.open(place.label, source, { signal });
  const { paths, format, strict, all, sync } = source;
  if (sync) throw needsFolder(place, 'the files that it was made of');
  return readDocuments(paths, { format, strict, all });
}

/** Only a store in a folder keeps what follows from documents and where they come from. */
export const needsFolder = ({ label }: Place, what: string): InputError =>
  new InputError('folder-needed', `"${label}" does not keep ${what}`, {
    expected: 'the folder of a store',
  });

async function* allEvents(
  target: IngestTarget,
  source: Reading,
  options: StoreIngestOptions,
  counts: IngestCounts,
): AsyncGenerator<StoreIngestEvent, void, void> {
  const { place } = target;
  if (source instanceof FileReading) {
    const store = await (place as FolderPlace).store();
    yield* fileEvents(store, source, options);
    counts.vanished = await source.finish(store);
  } else if (source !== undefined) {
    const put: Engine['put'] = async (documents, call) =>
      place.put(await Promise.all(documents.map(withLanguage)), call);
    yield* storedEvents(source, { put }, options);
  }
  yield* vectorEvents(target, options.signal);
}

async function* fileEvents(
  store: Store,
  reading: FileReading,
  options: StoreIngestOptions,
): AsyncGenerator<StoreIngestEvent, void, void> {
  const put: Engine['put'] = (documents, call) =>
    store.put(documents, call, reading.change(documents));
  const writes = new BatchedWrites({ put }, options);
  let said = 0;
  function* events(stored: IngestEvent | undefined): Generator<StoreIngestEvent, void, void> {
    if (!stored) return;
    while (said < reading.skipped.length) yield reading.skipped[said++]!;
    const documents = stored.documents + reading.unchanged;
    yield { ...stored, documents, unchanged: stored.unchanged + reading.unchanged };
  }
  for await (const document of reading.documents()) {
    options.signal?.throwIfAborted();
    yield* events(await writes.add(draftOf(await withLanguage(document))));
  }
  yield* events(await writes.end());
  while (said < reading.skipped.length) yield reading.skipped[said++]!;
}

/**
 * Embeds what a store lacks, and writes its indexes and its graph; a place elsewhere has
 * its vectors with its documents.
 */
export async function* vectorEvents(
  { place, computed }: IngestTarget,
  signal: AbortSignal | undefined,
): AsyncGenerator<VectorEvent, void, void> {
  if (!(place instanceof FolderPlace)) return;
  const store = await place.store();
  yield { type: 'phase', phase: 'embedding' };
  yield* embeddedEvents(store, computed, signal);
  if (withoutIndexes(store.manifest).length > 0) yield { type: 'phase', phase: 'indexing' };
  await store.close(freeCall(signal));
  await keepLinks(store, freeCall(signal));
  if (store.keepsGraph) yield { type: 'phase', phase: 'graph' };
  yield* emittedEvents<GraphEvent, void>(
    (emit, aborted) =>
      store.keepGraph(freeCall(aborted), (key, done, total) =>
        emit({ type: 'graph', index: key.slice(0, key.lastIndexOf(' ')), done, total }),
      ),
    signal,
  );
}

/**
 * Stores the links between documents, so that the first question that follows them need not read
 * all documents. A store without any document of known structure has none.
 */
export async function keepLinks(store: Store, call: Call): Promise<void> {
  const { documents } = await store.snapshot();
  if (documents.some(document => Object.hasOwn(document, 'outline')))
    await store.keep(DOCUMENT_LINKS, call);
}

/** Yields an event for each step of the store, and for each batch that a model embeds. */
function embeddedEvents(
  store: Store,
  computed: ComputedTexts | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<EmbeddedEvent, void, void> {
  return emittedEvents<EmbeddedEvent, void>(async (emit, aborted) => {
    let last: EmbeddedEvent | undefined;
    const next = (event: EmbeddedEvent): void => {
      last = event;
      emit(event);
    };
    const stop = computed?.listen(texts => {
      if (last) next({ ...last, computed: last.computed + texts });
    });
    try {
      await store.embed(freeCall(aborted), (done, total, space, unit) =>
        // A count of zero begins the next unit.
        next({ type: 'embedded', space, unit, done, total, computed: done ? last!.computed : 0 }),
      );
    } finally {
      stop?.();
    }
  }, signal);
}

const isPaths = (source: IngestSource | FileReading): source is IngestedPaths =>
  typeof source === 'object' && source !== null && 'paths' in source;

/** Adds up the events of an ingest. */
class IngestCounts {
  vanished: Vanished = { removed: 0, vanished: 0 };
  private counts = { read: 0, added: 0, changed: 0, unchanged: 0 };
  private readonly skipped: Omit<SkippedEvent, 'type'>[] = [];
  private readonly embedded = new Map<string, EmbeddedEvent>();
  private readonly graph = new Map<string, number>();

  add(event: StoreIngestEvent): void {
    if (event.type === 'stored') {
      const { documents: read, added, changed, unchanged } = event;
      this.counts = { read, added, changed, unchanged };
    } else if (event.type === 'embedded') this.embedded.set(`${event.unit} ${event.space}`, event);
    else if (event.type === 'graph') this.graph.set(event.index, event.done);
    else if (event.type === 'skipped') {
      const { type: _, ...rest } = event;
      this.skipped.push(rest);
    }
  }

  summary(documents: number): IngestSummary {
    const embedded: Record<string, number> = {};
    for (const { space, done } of this.embedded.values())
      embedded[space] = (embedded[space] ?? 0) + done;
    return {
      ...this.counts,
      ...this.vanished,
      skipped: this.skipped,
      documents,
      embedded,
      graph: Object.fromEntries(this.graph),
    };
  }
}
