/** Caches the vectors of an embedder by its id, the role and the content hash of the text. */
import { checkVectors } from './checked-vectors.ts';
import type { Embedder } from './embedder.ts';
import { throughCache } from './through-cache.ts';
import type { ContentHash, VectorCache } from './vector-cache.ts';

export interface CachedEmbedderOptions {
  readonly hash: ContentHash;
  /** Texts embedded between two writes to the cache: a killed process loses at most these. */
  readonly batch?: number;
}

const BATCH = 64;

/**
 * Returns an embedder that looks vectors up in the cache before it asks the model; equal texts in
 * one call are embedded once. Throws `PortError` for vectors that fail validation, and does not
 * store them: the next call asks the model again.
 */
export function cachedEmbedder(
  embedder: Embedder,
  cache: VectorCache,
  { hash, batch = BATCH }: CachedEmbedderOptions,
): Embedder {
  return {
    id: embedder.id,
    dimensions: embedder.dimensions,
    async embed(texts, as, call) {
      call.signal.throwIfAborted();
      const work = {
        space: `${embedder.id}\n${as}`,
        dimensions: embedder.dimensions,
        batch,
        texts,
        keys: texts.map(text => hash(text)),
      };
      const vectors = await throughCache(cache, {
        ...work,
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
