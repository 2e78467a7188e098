/** Shows a state whose documents and indexes are in this process. */
import type { Document } from '../../core/corpus/document.ts';
import { type Filter, matches } from '../../core/corpus/filter.ts';
import type { Call } from '../../core/trace/call.ts';
import { type CorpusManifest, checkPage, type PlaceSnapshot } from '../../search/place.ts';
import type { Snapshot } from '../../search/snapshot.ts';

export function embeddedSnapshot(engine: Snapshot, corpus: CorpusManifest): PlaceSnapshot {
  const passing = async (filter: Filter | undefined, call: Call): Promise<readonly Document[]> => {
    if (!filter) return engine.documents;
    // The engine refuses fields that no document has.
    await engine.search({ unit: 'document', k: 0, queries: [{ text: '', filter }] }, call);
    return engine.documents.filter(({ id, title, metadata }) =>
      matches(filter, { id, title, ...metadata }),
    );
  };
  return {
    engine,
    corpus,
    async page(request, call) {
      checkPage(request);
      const documents = await passing(request.filter, call);
      const from = request.after === undefined ? 0 : firstAfter(documents, request.after);
      return documents.slice(from, from + request.limit);
    },
    count: async (filter, call) => (await passing(filter, call)).length,
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
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
