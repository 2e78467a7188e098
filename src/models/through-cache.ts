/**
 * Computes vectors of texts through a cache: each text once, in batches that are stored as they
 * complete.
 */
import type { ContentHash, VectorCache } from './vector-cache.ts';

export interface CacheOptions {
  readonly hash: ContentHash;
  /** Texts computed between two writes to the cache: a killed process loses at most these. */
  readonly batch?: number;
}

const BATCH = 64;

export interface CachedWork {
  /** Names the cached space. */
  readonly space: string;
  /**
   * Length of each vector. A cache that another release or a damaged file filled may hold other
   * lengths, which count as missing.
   */
  readonly dimensions: number;
  /** See `CacheOptions`. */
  readonly batch: number | undefined;
  readonly texts: readonly string[];
  /** The key of the text at the same index; texts with equal keys are equal. */
  readonly keys: readonly string[];
  /** Returns one validated vector for each text; every vector is stored. */
  compute(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

/** Returns one vector for each text, in order; equal texts share theirs. */
export async function throughCache(
  cache: VectorCache,
  { space, dimensions, batch = BATCH, texts, keys, compute }: CachedWork,
): Promise<Float32Array[]> {
  const cached = await cache.get(space, keys);
  const vectors = new Map<string, Float32Array>();
  const missing = new Map<string, string>();
  for (const [at, key] of keys.entries()) {
    const vector = cached[at];
    if (vector?.length === dimensions) vectors.set(key, vector);
    else missing.set(key, texts[at]!);
  }
  const uncached = [...missing].filter(([key]) => !vectors.has(key));
  for (let start = 0; start < uncached.length; start += batch) {
    const some = uncached.slice(start, start + batch);
    const made = await compute(some.map(([, text]) => text));
    const entries = some.map(([key], at) => [key, made[at]!] as const);
    await cache.put(space, entries);
    for (const [key, vector] of entries) vectors.set(key, vector);
  }
  return keys.map(key => vectors.get(key)!);
}
