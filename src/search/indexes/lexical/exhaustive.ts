/**
 * The plain search: adds every posting of every query term in float64. Exact by construction, for
 * every scorer and any query.
 */

import { type ScoredItem, Top } from '../../../core/ranking/top.ts';
import { BLOCK_BITS, frequencyAt, type Inverted } from './inverted.ts';
import { giveSums, takeSums } from './score-sums.ts';
import type { Boost, WeighedTerm, Weighing } from './scorer.ts';
import type { SegmentView } from './segment-view.ts';

export interface SegmentQuery {
  readonly terms: readonly WeighedTerm[];
  readonly boosts: readonly Boost[];
  readonly allowed?: Uint8Array | undefined;
}

function addTerm(
  inverted: Inverted,
  { contribution }: Weighing,
  normOf: (item: number) => number,
  { term, weight, idf }: WeighedTerm,
  into: Float64Array,
): void {
  const { offsets, terms } = inverted;
  for (let block = 0; block < inverted.blocks; block++) {
    const row = block * (terms + 1) + term;
    const [from, to] = [offsets[row]!, offsets[row + 1]!];
    const { base, items, frequencies } = inverted.postings(from, to);
    for (let at = from - base; at < to - base; at++) {
      const item = (block << BLOCK_BITS) + items[at]!;
      const frequency = frequencyAt(inverted, base + at, frequencies[at]!);
      into[item]! += contribution(weight, idf, frequency, normOf(item));
    }
  }
}

function addBoost({ column, codes, value }: Boost, into: Float64Array): void {
  for (let item = 0; item < column.codes.length; item++)
    if (codes[column.codes[item]!] === 1) into[item]! += value;
}

/** Returns the best k of the allowed items with a score above 0. */
export function searchExhaustively(
  view: SegmentView,
  weighing: Weighing,
  query: SegmentQuery,
  k: number,
): ScoredItem[] {
  const { inverted } = view.segment;
  const { size } = inverted;
  const sums = takeSums(size);
  const normOf = weighing.norms(view);
  for (const term of query.terms) addTerm(inverted, weighing, normOf, term, sums);
  for (const boost of query.boosts) addBoost(boost, sums);
  const { allowed } = query;
  const top = new Top(k);
  let least = 0;
  for (let item = 0; item < size; item++) {
    const score = sums[item]!;
    if (score > least && (allowed === undefined || allowed[item] === 1))
      least = top.offer(item, score);
  }
  sums.fill(0, 0, size);
  giveSums(sums);
  return top.ranked();
}
