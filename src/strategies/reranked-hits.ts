/** Orders hits by the reranker of a run. */
import type { Hit, Ranking, Unit } from '../core/ranking/ranking.ts';
import type { Call } from '../core/trace/call.ts';
import type { Reranker } from '../models/reranker.ts';
import { wholeItems } from '../search/retrievers/readings.ts';
import type { Kit } from './strategy.ts';

/** Returns the hits by a reranker's scores, which replace their own; as they are without one. */
export async function rerankedHits(
  reranker: Reranker | undefined,
  query: string,
  hits: Ranking,
  unit: Unit,
  { engine }: Kit,
  call: Call,
): Promise<Ranking> {
  if (!reranker || hits.length === 0) return hits;
  const [reading] = await wholeItems([query], hits, unit, engine, call);
  const scores = await reranker.score(query, reading!.texts, call);
  // Stable: equal scores keep the order of the search.
  return hits
    .map((hit, at): Hit => ({ ...hit, score: scores[at]! }))
    .sort((a, b) => b.score - a.score);
}
