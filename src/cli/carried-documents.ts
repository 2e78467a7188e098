/** Chooses the documents that an inspector page carries: those of evidence, then those of hits. */
import type { Document } from '../core/corpus/document.ts';
import { freeCall } from '../core/trace/call.ts';
import type { TraceEvent } from '../core/trace/trace.ts';
import type { SearchEngine } from '../search/engine.ts';

/** Characters of text that documents of a page take together. */
const MOST_CHARACTERS = 8_000_000;

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

/** Reads documents of these ids, in order, while there is room. */
export async function carriedDocuments(
  ids: readonly string[],
  snapshot: Pick<SearchEngine, 'read'>,
): Promise<CarriedDocuments> {
  const documents: Document[] = [];
  let [characters, unknown] = [0, 0];
  for (const [index, id] of ids.entries()) {
    const document = await snapshot.read('document', [id], freeCall()).then(
      ([first]) => first,
      () => undefined,
    );
    if (!document) {
      unknown++;
      continue;
    }
    characters += document.text.length;
    if (characters > MOST_CHARACTERS) return { documents, unknown, left: ids.length - index };
    documents.push(document);
  }
  return { documents, unknown, left: 0 };
}
