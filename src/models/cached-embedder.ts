/** Caches the vectors of an embedder by its id, the role and the content hash of the text. */

import type { Embedder } from './embedder.ts';
import { checkVectors } from './embedder.ts';
import { type CacheOptions, throughCache } from './through-cache.ts';
import type { VectorCache } from './vector-cache.ts';

/**
 * Returns an embedder that looks vectors up in the cache before it asks the model; equal texts in
 * one call are embedded once. Throws `PortError` for vectors that fail validation, and does not
 * store them: the next call asks the model again.
 */
export function cachedEmbedder(
  embedder: Embedder,
  cache: VectorCache,
  { hash, batch }: CacheOptions,
): Embedder {
  return {
    id: embedder.id,
    dimensions: embedder.dimensions,
    async embed(texts, as, call) {
      call.signal.throwIfAborted();
      const vectors = await throughCache(cache, {
        space: `${embedder.id}\n${as}`,
        dimensions: embedder.dimensions,
        batch,
        texts,
        keys: texts.map(text => hash(text)),
        async compute(some) {
          const made = await embedder.embed(some, as, call);
          checkVectors(embedder, made, some.length);
          return made;
        },
      });
      // Equal texts share a vector: each caller gets a copy of its own.
      return vectors.map(vector => vector.slice());
    },
  };
}
