/**
 * The plain search: adds every posting of every query term in float64. Exact by construction, for
 * every scorer and any query.
 */

import { type ScoredItem, Top } from '../top.ts';
import { frequencyAt, type Inverted, OVERFLOW, SEGMENT_BITS } from './inverted.ts';
import type { Boost, WeighedTerm, Weighing } from './scorer.ts';

/** Sums per item, all zero between searches. Shared: a search is synchronous. */
let sums = new Float64Array(1 << 10);

function addTerm(
  inverted: Inverted,
  weighing: Weighing,
  { term, weight, idf }: WeighedTerm,
  into: Float64Array,
): void {
  const { items, frequencies, offsets, terms } = inverted;
  for (let segment = 0; segment < inverted.segments; segment++) {
    const row = segment * (terms + 1) + term;
    const base = segment << SEGMENT_BITS;
    for (let at = offsets[row]!, end = offsets[row + 1]!; at < end; at++) {
      const item = base + items[at]!;
      const stored = frequencies[at]!;
      into[item]! += weighing.contribution(
        weight,
        idf,
        stored < OVERFLOW ? stored : frequencyAt(inverted, at),
        item,
      );
    }
  }
}

function addBoost({ column, codes, value }: Boost, into: Float64Array): void {
  for (let item = 0; item < column.codes.length; item++)
    if (codes[column.codes[item]!] === 1) into[item]! += value;
}

/** The best k of the allowed items with a score above 0. */
export function searchExhaustively(
  inverted: Inverted,
  weighing: Weighing,
  query: {
    readonly terms: readonly WeighedTerm[];
    readonly boosts: readonly Boost[];
    readonly allowed?: Uint8Array | undefined;
  },
  k: number,
): ScoredItem[] {
  const { size } = inverted;
  if (sums.length < size) sums = new Float64Array(size);
  for (const term of query.terms) addTerm(inverted, weighing, term, sums);
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
  return top.found();
}
