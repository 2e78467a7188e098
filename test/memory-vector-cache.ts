import type { VectorCache } from '../src/models/vector-cache.ts';

/** Returns a cache in memory; `stored` has its vectors by space and key. */
export function memoryVectorCache(): VectorCache & { readonly stored: Map<string, Float32Array> } {
  const stored = new Map<string, Float32Array>();
  return {
    stored,
    get: async (space, keys) => keys.map(key => stored.get(`${space} ${key}`)),
    async put(space, entries) {
      for (const [key, vector] of entries) stored.set(`${space} ${key}`, vector);
    },
  };
}
