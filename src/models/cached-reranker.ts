/** A reranker that asks a cache first: keyed by the reranker's id and the content hash of the pair. */
import { checkScores } from './checked-scores.ts';
import type { Reranker } from './reranker.ts';
import type { ContentHash, VectorCache } from './vector-cache.ts';

export interface CachedRerankerOptions {
  readonly hash: ContentHash;
  /** Pairs that are scored before their scores are put in the cache. */
  readonly batch?: number;
}

const BATCH = 64;

/**
 * The same scores as the reranker's. Equal texts in one call are scored once. What cannot be used is a `PortError`, and is not kept.
 */
export function cachedReranker(reranker: Reranker, cache: VectorCache, { hash, batch = BATCH }: CachedRerankerOptions): Reranker {
  return {
    id: reranker.id,
    async score(query, texts, call) {
      call.signal.throwIfAborted();
      const space = `${reranker.id}\nscore`;
      const keys = texts.map(text => hash(JSON.stringify([query, text])));
      const found = await cache.get(space, keys);
      const scores = new Map<string, number>();
      const missing = new Map<string, string>();
      for (const [at, key] of keys.entries()) {
        const vector = found[at];
        if (vector?.length === 1) scores.set(key, vector[0]!);
        else missing.set(key, texts[at]!);
      }
      const wanted = [...missing].filter(([key]) => !scores.has(key));
      for (let start = 0; start < wanted.length; start += batch) {
        const some = wanted.slice(start, start + batch);
        const made = await reranker.score(
          query,
          some.map(([, text]) => text),
          call,
        );
        checkScores(reranker, made, some.length);
        await cache.put(
          space,
          some.map(([key], at) => [key, made.slice(at, at + 1)] as const),
        );
        for (const [at, [key]] of some.entries()) scores.set(key, made[at]!);
      }
      return Float32Array.from(keys, key => scores.get(key)!);
    },
  };
}
