/**
 * A reranker that asks a cache first: keyed by the reranker's id and the content hash of the pair.
 */
import { checkScores } from './checked-scores.ts';
import type { Reranker } from './reranker.ts';
import { throughCache } from './through-cache.ts';
import type { ContentHash, VectorCache } from './vector-cache.ts';

export interface CachedRerankerOptions {
  readonly hash: ContentHash;
  /** Pairs that are scored before their scores are put in the cache. */
  readonly batch?: number;
}

const BATCH = 64;

/**
 * The same scores as the reranker's. Equal texts in one call are scored once. What cannot be used
 * is a `PortError`, and is not kept.
 */
export function cachedReranker(
  reranker: Reranker,
  cache: VectorCache,
  { hash, batch = BATCH }: CachedRerankerOptions,
): Reranker {
  return {
    id: reranker.id,
    async score(query, texts, call) {
      call.signal.throwIfAborted();
      const keys = texts.map(text => hash(JSON.stringify([query, text])));
      const scores = await throughCache(cache, {
        ...{ space: `${reranker.id}\nscore`, dimensions: 1, batch, texts, keys },
        async compute(some) {
          const made = await reranker.score(query, some, call);
          checkScores(reranker, made, some.length);
          return some.map((_, at) => made.slice(at, at + 1));
        },
      });
      return Float32Array.from(scores, score => score[0]!);
    },
  };
}
