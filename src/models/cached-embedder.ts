/** An embedder that asks a cache first: keyed by the embedder's id, the role and the text's content hash. */
import { checkVectors } from './checked-vectors.ts';
import type { Embedder } from './embedder.ts';
import type { ContentHash, VectorCache } from './vector-cache.ts';

export interface CachedEmbedderOptions {
  readonly hash: ContentHash;
  /** Texts that are embedded before their vectors are put in the cache: what is lost at most when the process is killed. */
  readonly batch?: number;
}

const BATCH = 64;

/**
 * The same vectors as the embedder's, but for those of a model whose answers change. Equal texts in one call are embedded once.
 * What cannot be used is a `PortError`, and is not kept: the model is asked again the next time.
 */
export function cachedEmbedder(embedder: Embedder, cache: VectorCache, { hash, batch = BATCH }: CachedEmbedderOptions): Embedder {
  return {
    id: embedder.id,
    dimensions: embedder.dimensions,
    async embed(texts, as, call) {
      call.signal.throwIfAborted();
      const space = `${embedder.id}\n${as}`;
      const keys = texts.map(text => hash(text));
      const found = await cache.get(space, keys);
      const vectors = new Map<string, Float32Array>();
      const missing = new Map<string, string>();
      for (const [at, key] of keys.entries()) {
        const vector = found[at];
        // A cache that another release or a damaged file filled may hold something else.
        if (vector?.length === embedder.dimensions) vectors.set(key, vector);
        else if (!vectors.has(key)) missing.set(key, texts[at]!);
      }
      const wanted = [...missing].filter(([key]) => !vectors.has(key));
      for (let start = 0; start < wanted.length; start += batch) {
        const some = wanted.slice(start, start + batch);
        const made = await embedder.embed(
          some.map(([, text]) => text),
          as,
          call,
        );
        checkVectors(embedder, made, some.length);
        const entries = some.map(([key], at) => [key, made[at]!] as const);
        await cache.put(space, entries);
        for (const [key, vector] of entries) vectors.set(key, vector);
      }
      return keys.map(key => vectors.get(key)!.slice());
    },
  };
}
