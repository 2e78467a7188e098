/** Puts a cache of vectors before an embedder. */

import { defined } from '../core/defined.ts';
import { cachedEmbedder } from '../models/cached-embedder.ts';
import type { Embedder } from '../models/embedder.ts';
import type { VectorCache } from '../models/vector-cache.ts';
import { sha256 } from '../platform/sha256.ts';

/**
 * Texts a call of an embedder on this machine. A small machine takes half a second for a long
 * passage, so a killed process loses a few seconds of work.
 */
export const LOCAL_BATCH = 16;

export interface CachedPassagesOptions {
  /** Caches queries too. Users rarely repeat a question, and asking one should not write. */
  readonly queries: boolean;
  /** Texts a call; those of the caller if undefined. */
  readonly batch: number | undefined;
}

/** Returns an embedder that caches its vectors of passages. */
export function cachedPassages(
  embedder: Embedder,
  cache: VectorCache,
  { queries, batch }: CachedPassagesOptions,
): Embedder {
  const cached = cachedEmbedder(embedder, cache, defined({ hash: sha256, batch }));
  const { id, dimensions } = embedder;
  return {
    id,
    dimensions,
    embed: (texts, as, call) =>
      (as === 'passage' || queries ? cached : embedder).embed(texts, as, call),
  };
}
