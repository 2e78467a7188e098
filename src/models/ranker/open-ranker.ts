/** A ranker of a file as the port of rerankers. */
import type { SearchMode } from '../../core/search-mode.ts';
import { type Call, pauseOf } from '../../core/trace/call.ts';
import type { Reranker } from '../reranker.ts';
import { fastForward } from './fast-forward.ts';
import { type Pair, pairsWith } from './pairs.ts';
import { plainForward } from './plain-forward.ts';
import { type RankerModel, readRanker } from './ranker-file.ts';
import { wordPieces } from './word-piece.ts';

export interface RankerOptions {
  /** The name in the file when missing. */
  readonly id?: string;
  /** 'plain' never uses WebAssembly and rounds no states: scores differ by about 0.1 then. */
  readonly mode?: SearchMode;
}

/**
 * Returns the reranker of a file (ranker-file.ts). Its scores are logits; it needs no library and
 * runs in browsers and workers. Throws `InputError`: 'bad-safetensors', 'bad-vocabulary',
 * 'bad-ranker'.
 */
export function openRanker(bytes: Uint8Array, options: RankerOptions = {}): Reranker {
  const model = readRanker(bytes);
  const { id = model.name, mode = 'auto' } = options;
  const pieces = wordPieces(model.tokens);
  let forward: ((pair: Pair) => number) | undefined;
  return {
    id,
    async score(query, texts, call) {
      call.signal.throwIfAborted();
      const pairOf = pairsWith(query, pieces, model.tokens, model);
      const pairs = await eachWithPause(texts, pairOf, call);
      if (pairs.length === 0) return new Float32Array();
      forward ??= forwardOf(model, mode);
      return scored(pairs, forward, call);
    },
  };
}

const forwardOf = (model: RankerModel, mode: SearchMode): ((pair: Pair) => number) =>
  (mode === 'plain' ? undefined : fastForward(model)) ?? plainForward(model);

async function scored(
  pairs: readonly Pair[],
  forward: (pair: Pair) => number,
  call: Call,
): Promise<Float32Array> {
  const modelTokens = pairs.reduce((sum, { ids }) => sum + ids.length, 0);
  const settle = call.begin('reranker', 'score', { modelCalls: 1, modelTokens });
  let read = 0;
  try {
    const logits = await eachWithPause(
      pairs,
      pair => {
        read += pair.ids.length;
        return forward(pair);
      },
      call,
    );
    return Float32Array.from(logits);
  } finally {
    settle({ modelCalls: 1, modelTokens: read });
  }
}

/** Pauses after each: a pair takes about 2 ms, as long as a process may be deaf. */
async function eachWithPause<T, R>(
  items: readonly T[],
  use: (item: T) => R,
  call: Call,
): Promise<R[]> {
  const pause = pauseOf(call);
  const results: R[] = [];
  for (const item of items) {
    results.push(use(item));
    await pause();
  }
  return results;
}
