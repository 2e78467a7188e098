/**
 * What a model computes of texts, asked of a cache first: each text once, and in batches that the
 * cache keeps as they come.
 */
import type { VectorCache } from './vector-cache.ts';

export interface CachedWork {
  /** Names what the vectors are of in the cache. */
  readonly space: string;
  /**
   * How long each vector is. A cache that another release or a damaged file filled may hold
   * something else.
   */
  readonly dimensions: number;
  /** Texts in one computation: what is lost at most when the process is killed. */
  readonly batch: number;
  readonly texts: readonly string[];
  /** Of the text at the same place; equal keys are one text. */
  readonly keys: readonly string[];
  /** One vector a text, checked before it is given back: all that it gives is kept. */
  compute(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

/** One vector a text, in order; equal texts share theirs. */
export async function throughCache(
  cache: VectorCache,
  { space, dimensions, batch, texts, keys, compute }: CachedWork,
): Promise<Float32Array[]> {
  const found = await cache.get(space, keys);
  const vectors = new Map<string, Float32Array>();
  const missing = new Map<string, string>();
  for (const [at, key] of keys.entries()) {
    const vector = found[at];
    if (vector?.length === dimensions) vectors.set(key, vector);
    else missing.set(key, texts[at]!);
  }
  const wanted = [...missing].filter(([key]) => !vectors.has(key));
  for (let start = 0; start < wanted.length; start += batch) {
    const some = wanted.slice(start, start + batch);
    const made = await compute(some.map(([, text]) => text));
    const entries = some.map(([key], at) => [key, made[at]!] as const);
    await cache.put(space, entries);
    for (const [key, vector] of entries) vectors.set(key, vector);
  }
  return keys.map(key => vectors.get(key)!);
}
