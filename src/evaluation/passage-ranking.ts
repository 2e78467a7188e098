/** Derives the passage ranking of a trace: evidence first, then other hits of its first search. */
import type { Span } from '../core/corpus/document.ts';
import type { Evidence, Search, Trace } from '../core/trace/trace.ts';

export interface RankedPassage {
  readonly id: string;
  readonly documentId: string;
  /** Ranges of the document that the passage is known to cover. */
  readonly spans: readonly Span[];
}

/**
 * Ranks the passages of a trace, each once: the passages of its evidence in the order of the
 * evidence, then the other hits of its first search whose unit is the passage. A kept sentence
 * counts as the passage that it stands in. A passage covers the range of its hit, or the spans of
 * its evidence if no search of the trace returned it. Returns undefined if no evidence names a
 * passage and no search asked for passages. O(hits).
 */
export function passageRanking(trace: Trace): RankedPassage[] | undefined {
  const searches = trace.hops
    .flatMap(hop => hop.searches)
    .filter(search => search.unit === 'passage');
  const kept = trace.evidence.filter(item => passageIdOf(item) !== undefined);
  if (searches.length === 0 && kept.length === 0) return undefined;
  const ranges = rangesOf(searches);
  const ranked = new Map<string, RankedPassage>();
  for (const item of kept) {
    const id = passageIdOf(item)!;
    const range = ranges.get(id);
    const spans = range ? [range] : [...(ranked.get(id)?.spans ?? []), ...item.spans];
    ranked.set(id, { id, documentId: item.documentId, spans });
  }
  for (const { id, documentId, start, end } of searches[0]?.hits ?? [])
    if (!ranked.has(id)) ranked.set(id, { id, documentId, spans: [[start, end]] });
  return [...ranked.values()];
}

/** Returns the passage id of a piece of evidence; undefined for a whole document. */
function passageIdOf({ id, documentId, passage }: Evidence): string | undefined {
  return passage ?? (id === documentId ? undefined : id);
}

function rangesOf(searches: readonly Search[]): Map<string, Span> {
  return new Map(
    searches.flatMap(({ hits }) => hits.map(({ id, start, end }) => [id, [start, end]] as const)),
  );
}
