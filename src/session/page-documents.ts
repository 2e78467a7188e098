/** Lists the documents of a store, page by page. */
import type { Document } from '../core/corpus/document.ts';
import { type Filter, matches } from '../core/corpus/filter.ts';
import { InputError } from '../core/errors.ts';
import { freeCall } from '../core/trace/call.ts';
import { checkFilterValues } from '../search/filter-values.ts';
import type { Snapshot } from '../search/snapshot.ts';
import type { DocumentPage, PageRequest } from './document-store.ts';

const LIMIT = 100;

/** Throws `InputError`: `bad-limit`, or an unknown field or value of the filter. */
export async function pageOfDocuments(
  snapshot: Snapshot,
  { filter, after, limit = LIMIT, signal }: PageRequest,
): Promise<DocumentPage> {
  if (!Number.isInteger(limit) || limit < 1)
    throw new InputError('bad-limit', 'The number of documents on a page', {
      expected: 'a whole number of at least 1',
      received: String(limit),
    });
  const passing = filter ? await filtered(snapshot, filter, signal) : snapshot.documents;
  const from = after === undefined ? 0 : firstAfter(passing, after);
  const documents = passing.slice(from, from + limit);
  const more = from + limit < passing.length;
  const total = passing.length;
  return { documents, total, ...(more ? { next: documents.at(-1)!.id } : {}) };
}

async function filtered(
  snapshot: Snapshot,
  filter: Filter,
  signal: AbortSignal | undefined,
): Promise<readonly Document[]> {
  const call = freeCall(signal);
  await checkFilterValues(filter, snapshot, call);
  // The engine refuses fields that no document has.
  await snapshot.search({ unit: 'document', k: 0, queries: [{ text: '', filter }] }, call);
  return snapshot.documents.filter(({ id, title, metadata }) =>
    matches(filter, { id, title, ...metadata }),
  );
}

/** Returns the position of the first id after `after`, by binary search. */
function firstAfter(documents: readonly Document[], after: string): number {
  let [low, high] = [0, documents.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (documents[middle]!.id <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}
