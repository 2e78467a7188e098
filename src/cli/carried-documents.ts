/** Chooses the documents that an inspector page carries: those of evidence, then those of hits. */
import type { Document } from '../core/corpus/document.ts';
import { freeCall } from '../core/trace/call.ts';
import type { TraceEvent } from '../core/trace/trace.ts';
import type { SearchEngine } from '../search/engine.ts';

/** Bytes of documents that a page holds for each run: that of one run has less than a megabyte. */
const BYTES_OF_RUN = 700_000;
const MOST_BYTES = 8_000_000;

export interface CarriedDocuments {
  readonly documents: readonly Document[];
  /** Documents that the store does not hold, and those that there was no room for. */
  readonly unknown: number;
  readonly left: number;
}

/** Returns ids of documents, those of evidence first. */
export function documentIds(events: readonly TraceEvent[]): string[] {
  const ids = new Set<string>();
  for (const event of events)
    if (event.type === 'context') for (const { documentId } of event.evidence) ids.add(documentId);
  for (const event of events)
    if (event.type === 'hop') for (const { documentId } of event.hop.kept) ids.add(documentId);
  for (const event of events)
    if (event.type === 'hop')
      for (const { hits } of event.hop.searches)
        for (const { documentId } of hits) ids.add(documentId);
  return [...ids];
}

/** Reads documents of these ids, in order; what there is no room for is left out. */
export async function carriedDocuments(
  ids: readonly string[],
  snapshot: Pick<SearchEngine, 'read'>,
  runs: number,
): Promise<CarriedDocuments> {
  const documents: Document[] = [];
  let [room, unknown] = [Math.min(MOST_BYTES, runs * BYTES_OF_RUN), 0];
  for (const id of ids) {
    const document = await snapshot.read('document', [id], freeCall()).then(
      ([first]) => first,
      () => undefined,
    );
    if (!document) {
      unknown++;
      continue;
    }
    const bytes = Buffer.byteLength(JSON.stringify(document));
    if (bytes > room) continue;
    room -= bytes;
    documents.push(document);
  }
  return { documents, unknown, left: ids.length - unknown - documents.length };
}
