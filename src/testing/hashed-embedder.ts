/**
 * Embeds texts without a model: hashes each word to a few dimensions, enough to test code that uses
 * embedders.
 */
import type { Embedder, EmbeddingRole } from '../models/embedder.ts';

export interface HashedEmbedder extends Embedder {
  /** All calls so far. */
  readonly calls: readonly { readonly texts: readonly string[]; readonly as: EmbeddingRole }[];
}

export function hashedEmbedder(id = 'hashed', dimensions = 64): HashedEmbedder {
  const calls: { texts: readonly string[]; as: EmbeddingRole }[] = [];
  return {
    id,
    dimensions,
    calls,
    async embed(texts, as, call) {
      call.signal.throwIfAborted();
      calls.push({ texts, as });
      return texts.map(text => embedWords(text, dimensions));
    },
  };
}

function embedWords(text: string, dimensions: number): Float32Array {
  const sums = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    for (let copy = 0; copy < 3; copy++) {
      const hash = hashOf(word, copy);
      sums[hash % dimensions]! += hash & 0x10000 ? 1 : -1;
    }
  }
  let squares = 0;
  for (const value of sums) squares += value * value;
  if (squares === 0) sums[0] = 1;
  return sums.map(value => value / Math.sqrt(squares || 1));
}

/** Returns FNV-1a over UTF-16 code units. */
function hashOf(word: string, salt: number): number {
  let hash = (2166136261 ^ salt) >>> 0;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 16777619) >>> 0;
  return (hash ^ (hash >>> 13)) >>> 0;
}
