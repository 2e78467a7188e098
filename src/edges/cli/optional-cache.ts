/**
 * A cache that a command can do without: where its folder cannot be written, or is full, the
 * command goes on, and says so once.
 */
import { PortError } from '../../errors.ts';
import type { VectorCache } from '../../models/vector-cache.ts';

const FORGIVEN = ['store-not-writable', 'store-full'];

export function optionalCache(cache: VectorCache, tell: (problem: string) => void): VectorCache {
  let told = false;
  const forgive = (error: unknown): void => {
    if (!PortError.is(error) || !FORGIVEN.includes(error.code)) throw error;
    if (!told) tell(error.message.split(': ')[0]!);
    told = true;
  };
  return {
    async get(space, keys) {
      try {
        return await cache.get(space, keys);
      } catch (error) {
        forgive(error);
        return keys.map(() => undefined);
      }
    },
    async put(space, entries) {
      try {
        await cache.put(space, entries);
      } catch (error) {
        forgive(error);
      }
    },
  };
}
