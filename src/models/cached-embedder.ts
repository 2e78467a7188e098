/**
 * An embedder that asks a cache first: keyed by the embedder's id, the role and the text's content
 * hash.
 */
import { checkVectors } from './checked-vectors.ts';
import type { Embedder } from './embedder.ts';
import { throughCache } from './through-cache.ts';
import type { ContentHash, VectorCache } from './vector-cache.ts';

export interface CachedEmbedderOptions {
  readonly hash: ContentHash;
  /**
   * Texts that are embedded before their vectors are put in the cache: what is lost at most when
   * the process is killed.
   */
  readonly batch?: number;
}

const BATCH = 64;

/**
 * The same vectors as the embedder's, but for those of a model whose answers change. Equal texts in
 * one call are embedded once. What cannot be used is a `PortError`, and is not kept: the model is
 * asked again the next time.
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
      // Equal texts share a vector; the caller's are its own.
      return vectors.map(vector => vector.slice());
    },
  };
}
