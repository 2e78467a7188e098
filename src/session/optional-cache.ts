/**
 * Wraps a cache so that the caller goes on without it if its folder is full or read-only, or its
 * file is that of another space.
 */
import { PortError } from '../core/errors.ts';
import type { VectorCache } from '../models/vector-cache.ts';

const TOLERATED = ['store-not-writable', 'store-full', 'other-cache-space'];

/** Returns a cache that reports its first tolerated failure and misses from then on. */
export function optionalCache(cache: VectorCache, report: (problem: string) => void): VectorCache {
  let reported = false;
  const tolerate = (error: unknown): void => {
    if (!PortError.is(error) || !TOLERATED.includes(error.code)) throw error;
    if (!reported) report(error.message.split(': ')[0]!);
    reported = true;
  };
  return {
    async get(space, keys) {
      try {
        return await cache.get(space, keys);
      } catch (error) {
        tolerate(error);
        return keys.map(() => undefined);
      }
    },
    async put(space, entries) {
      try {
        await cache.put(space, entries);
      } catch (error) {
        tolerate(error);
      }
    },
  };
}
