/** Ranks the documents of a run of `fact-lanes`, as a trace's ranking lists them. */
import type { Hop } from '../../core/trace/trace.ts';
import { evidenceFirst, rankingOfFirstSearch } from '../strategy.ts';

/**
 * Returns the documents of the evidence, then by turns the next of the candidates that the last hop
 * refused, in the order in which it tried them, and of the other hits of the first search.
 */
export function rankingOfLanes(hops: readonly Hop[]): string[] {
  const last = hops.at(-1);
  const evidence = new Set(evidenceFirst(hops, []));
  const refused = (last?.rejected ?? []).flatMap(({ id, search: at }) => {
    const hit = hops[at.hop]?.searches[at.search]?.hits.find(one => one.id === id);
    return hit && !evidence.has(hit.documentId) ? [hit.documentId] : [];
  });
  const others = rankingOfFirstSearch(hops).filter(id => !evidence.has(id));
  return evidenceFirst(hops, byTurns([...new Set(refused)], others));
}

const byTurns = (a: readonly string[], b: readonly string[]): string[] =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, at) => [a[at], b[at]])
    .flat()
    .filter(id => id !== undefined);
