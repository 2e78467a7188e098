/**
 * A reranker without a model: the share of the query's words that stand in the text. Enough to
 * check whatever is built on rerankers.
 */
import type { Reranker } from '../models/reranker.ts';

export interface OverlapReranker extends Reranker {
  /** Every call so far. */
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
      const asked = wordsOf(query);
      return Float32Array.from(texts, text => {
        const words = wordsOf(text);
        return asked.size === 0
          ? 0
          : [...asked].filter(word => words.has(word)).length / asked.size;
      });
    },
  };
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
