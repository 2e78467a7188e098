/**
 * The ranker that ships: `fact-ranker.json` is what `multihop learn fact-ranker` and `learn
 * chain-ranker` wrote.
 */

import written from './fact-ranker.json' with { type: 'json' };
import {
  type FactRanker,
  type RankerKind,
  type RankerWeights,
  readFactRanker,
} from './fact-ranker.ts';

let ranker: FactRanker | undefined;

/** Read when first used. */
export function shippedRanker(kind: RankerKind): RankerWeights {
  ranker ??= readFactRanker(written);
  return ranker.rankers[kind];
}
