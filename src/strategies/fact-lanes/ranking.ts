/** Ranks the documents of a run of `fact-lanes`, as a trace's ranking lists them. */
import type { Hop } from '../../trace/trace.ts';
import { evidenceFirst, rankingOfFirstSearch } from '../strategy.ts';

/**
 * Returns the documents of the evidence, then those of the candidates that the last hop refused, in
 * the order in which it tried them, then the other hits of the first search.
 */
export function rankingOfLanes(hops: readonly Hop[]): string[] {
  const refused = (hops.at(-1)?.rejected ?? []).flatMap(({ id, search: at }) => {
    const hit = hops[at.hop]?.searches[at.search]?.hits.find(one => one.id === id);
    return hit ? [hit.documentId] : [];
  });
  return evidenceFirst(hops, [...refused, ...rankingOfFirstSearch(hops)]);
}
