/** Caches the scores of a reranker by its id and the content hash of query and text. */

import type { Reranker } from './reranker.ts';
import { checkScores } from './reranker.ts';
import { type CacheOptions, throughCache } from './through-cache.ts';
import type { VectorCache } from './vector-cache.ts';

/**
 * Returns a reranker that looks scores up in the cache before it asks the model; equal texts in one
 * call are scored once. Throws `PortError` for scores that fail validation, and does not store
 * them.
 */
export function cachedReranker(
  reranker: Reranker,
  cache: VectorCache,
  { hash, batch }: CacheOptions,
): Reranker {
  return {
    id: reranker.id,
    async score(query, texts, call) {
      call.signal.throwIfAborted();
      const keys = texts.map(text => hash(JSON.stringify([query, text])));
      const scores = await throughCache(cache, {
        space: `${reranker.id}\nscore`,
        dimensions: 1,
        batch,
        texts,
        keys,
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
