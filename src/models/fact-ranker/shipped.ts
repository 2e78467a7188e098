/**
 * Loads the shipped ranker: `fact-ranker.json`, written by `npm run lab -- learn fact-ranker`
 * and `learn chain-ranker`.
 */

import written from './fact-ranker.json' with { type: 'json' };
import {
  type FactRanker,
  type RankerKind,
  type RankerWeights,
  readFactRanker,
} from './fact-ranker.ts';

let ranker: FactRanker | undefined;

/** Returns the shipped weights of a kind, parsed at the first use. */
export function shippedRanker(kind: RankerKind): RankerWeights {
  ranker ??= readFactRanker(written);
  return ranker.rankers[kind];
}
