/**
 * Searches a segment term by term, strongest first, until the terms that remain cannot lift an item
 * that holds none of the terms so far to the k-th best score (MaxScore, Turtle and Flood 1995).
 */
import { type ScoredItem, Top } from '../top.ts';
import { BLOCK_BITS, frequencyAt, frequencyIn, type Inverted, OVERFLOW } from './inverted.ts';
import { scoreSums } from './score-sums.ts';
import type { WeighedTerm, Weighing } from './scorer.ts';
import type { SegmentView } from './segment-view.ts';

/** Raises a sum above rounding in another order of additions. */
const ABOVE = 1 + 1e-9;

export interface BoundedQuery {
  readonly terms: readonly WeighedTerm[];
  readonly allowed?: Uint8Array | undefined;
}

/** Sums of contributions so far. */
interface Sums {
  readonly sums: Float64Array;
  /** The items with a sum above 0. */
  readonly touched: number[];
}

/** Returns the best k of the allowed items that score above 0 and at least `floor`. */
export function searchAbove(
  view: SegmentView,
  weighing: Weighing,
  query: BoundedQuery,
  k: number,
  floor: number,
): ScoredItem[] {
  const { inverted } = view.segment;
  const sums: Sums = { sums: scoreSums(inverted.size), touched: [] };
  const reached = addStrongest(view, weighing, query, sums, k, floor);
  const normOf = weighing.norms(view);
  const { terms, allowed } = query;
  const top = new Top(k);
  let least = reached.floor;
  for (const item of sums.touched) {
    const sum = sums.sums[item]!;
    sums.sums[item] = 0;
    // An item without a contribution may be listed twice.
    if (sum === 0 || (sum + reached.rest) * ABOVE < least) continue;
    if (allowed !== undefined && allowed[item] !== 1) continue;
    const score = scoreOf(inverted, weighing, terms, normOf(item), item);
    if (score >= least) least = Math.max(least, top.offer(item, score));
  }
  return top.ranked();
}

/**
 * Adds terms by descending bound until the rest stays below the floor, which rises to the k-th best
 * sum. Returns the bound of the rest, and the floor.
 */
function addStrongest(
  view: SegmentView,
  weighing: Weighing,
  { terms, allowed }: BoundedQuery,
  sums: Sums,
  k: number,
  floor: number,
): { readonly rest: number; readonly floor: number } {
  const normOf = weighing.norms(view);
  const bounds = terms.map(term => ({ term, bound: weighing.bound(term.weight, term.idf) }));
  bounds.sort((a, b) => b.bound - a.bound);
  let rest = bounds.reduce((sum, { bound }) => sum + bound, 0);
  let [added, least] = [0, floor];
  for (const { term, bound } of bounds) {
    if (rest * ABOVE < least) break;
    addPostings(view.segment.inverted, weighing, normOf, term, sums);
    added += bound;
    rest = Math.max(0, rest - bound);
    // Sums do not exceed the bounds added, so that a look at them is in vain before.
    if (rest < added) least = Math.max(least, lowestOfBest(sums, allowed, k) / ABOVE);
  }
  return { rest, floor: least };
}

/** Returns the k-th best sum of the allowed items, or 0 if there are fewer. */
function lowestOfBest({ sums, touched }: Sums, allowed: Uint8Array | undefined, k: number): number {
  if (touched.length < k) return 0;
  const top = new Top(k);
  let least = 0;
  for (const item of touched)
    if (sums[item]! > least && (allowed === undefined || allowed[item] === 1))
      least = top.offer(item, sums[item]!);
  return least;
}

/** Adds a term's contributions to the sums of its items; `touched` collects each item once. */
function addPostings(
  inverted: Inverted,
  { contribution }: Weighing,
  normOf: (item: number) => number,
  { term, weight, idf }: WeighedTerm,
  { sums, touched }: Sums,
): void {
  const { items, frequencies, offsets, blocks, terms } = inverted;
  for (let block = 0; block < blocks; block++) {
    const row = block * (terms + 1) + term;
    for (let at = offsets[row]!, end = offsets[row + 1]!; at < end; at++) {
      const item = (block << BLOCK_BITS) + items[at]!;
      const stored = frequencies[at]!;
      const frequency = stored < OVERFLOW ? stored : frequencyAt(inverted, at);
      if (sums[item] === 0) touched.push(item);
      sums[item]! += contribution(weight, idf, frequency, normOf(item));
    }
  }
}

/** Adds the contributions in the order of the query, as every search does. */
function scoreOf(
  inverted: Inverted,
  weighing: Weighing,
  terms: readonly WeighedTerm[],
  norm: number,
  item: number,
): number {
  let score = 0;
  for (const { term, weight, idf } of terms) {
    const frequency = frequencyIn(inverted, term, item);
    if (frequency > 0) score += weighing.contribution(weight, idf, frequency, norm);
  }
  return score;
}
