/**
 * Reranks without a model: scores a text by the share of the query's words in it, enough to test
 * code that uses rerankers.
 */
import type { Reranker } from '../models/reranker.ts';

export interface OverlapReranker extends Reranker {
  /** All calls so far. */
  readonly calls: readonly { readonly query: string; readonly texts: readonly string[] }[];
}

export function overlapReranker(id = 'overlap'): OverlapReranker {
  const calls: { query: string; texts: readonly string[] }[] = [];
  return {
    id,
    calls,
    async score(query, texts, call) {
      call.signal.throwIfAborted();
      calls.push({ query, texts });
      const queryWords = wordsOf(query);
      return Float32Array.from(texts, text => {
        const words = wordsOf(text);
        return queryWords.size === 0
          ? 0
          : [...queryWords].filter(word => words.has(word)).length / queryWords.size;
      });
    },
  };
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
