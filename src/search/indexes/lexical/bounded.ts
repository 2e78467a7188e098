/**
 * Searches a segment term by term, strongest first, until the terms that remain cannot lift an item
 * that holds none of the terms so far to the k-th best score (MaxScore, Turtle and Flood 1995).
 */
import { type ScoredItem, Top } from '../../../core/ranking/top.ts';
import {
  BLOCK_BITS,
  documentFrequency,
  frequencyAt,
  frequencyIn,
  type Inverted,
} from './inverted.ts';
import { giveSums, takeSums } from './score-sums.ts';
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

/** A term with its greatest contribution, and that of all weaker terms together. */
interface BoundedTerm {
  readonly term: WeighedTerm;
  readonly bound: number;
  readonly rest: number;
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
  const sums: Sums = { sums: takeSums(inverted.size), touched: [] };
  const bounded = byBound(query.terms, weighing);
  const added = addStrongest(view, weighing, { ...query, bounded }, sums, k, floor);
  const rest = bounded.slice(added.terms);
  // No item that misses the floor with all weaker terms is looked at further.
  const reach = rest.length === 0 ? 0 : rest[0]!.bound + rest[0]!.rest;
  const normOf = weighing.norms(view);
  const best = new Top(k);
  let least = added.floor;
  for (const item of sums.touched) {
    const sum = sums.sums[item]!;
    sums.sums[item] = 0;
    if ((sum + reach) * ABOVE < least || !isAllowed(query.allowed, item)) continue;
    const norm = normOf(item);
    if (!canReach(inverted, weighing, rest, { item, sum, norm }, least)) continue;
    const score = exactScore(inverted, weighing, query.terms, norm, item);
    if (score >= least) least = Math.max(least, best.offer(item, score));
  }
  giveSums(sums.sums);
  return best.ranked().filter(({ score }) => score > 0 && score >= floor);
}

const isAllowed = (allowed: Uint8Array | undefined, item: number): boolean =>
  allowed === undefined || allowed[item] === 1;

/** Returns the terms by descending bound. */
function byBound(terms: readonly WeighedTerm[], weighing: Weighing): BoundedTerm[] {
  const bounds = terms.map(term => ({ term, bound: weighing.bound(term.weight, term.idf) }));
  bounds.sort((a, b) => a.bound - b.bound);
  let rest = 0;
  const bounded = bounds.map(({ term, bound }) => {
    const weaker = rest;
    rest += bound;
    return { term, bound, rest: weaker };
  });
  return bounded.reverse();
}

/**
 * Adds terms by descending bound until the rest stays below the floor, which rises to the k-th best
 * score of the items that lead by their sums. Returns the number of terms added, and the floor.
 */
function addStrongest(
  view: SegmentView,
  weighing: Weighing,
  query: BoundedQuery & { readonly bounded: readonly BoundedTerm[] },
  sums: Sums,
  k: number,
  floor: number,
): { readonly terms: number; readonly floor: number } {
  const { inverted } = view.segment;
  const normOf = weighing.norms(view);
  const { bounded, terms, allowed } = query;
  let least = floor;
  for (let at = 0; at < bounded.length; at++) {
    const { term, bound, rest } = bounded[at]!;
    if ((bound + rest) * ABOVE < least) return { terms: at, floor: least };
    addPostings(inverted, weighing, normOf, term, sums);
    const { length } = sums.touched;
    const next = bounded[at + 1]?.term.term;
    // A look at the leaders costs as much as reading a term of that many postings.
    if (length < k || (next !== undefined && documentFrequency(inverted, next) < length)) continue;
    const scores = new Top(k);
    for (const { item } of bestSums(sums, allowed, k))
      least = Math.max(
        least,
        scores.offer(item, exactScore(inverted, weighing, terms, normOf(item), item)),
      );
  }
  return { terms: bounded.length, floor: least };
}

/** Returns the allowed items with the k best sums. */
function bestSums(
  { sums, touched }: Sums,
  allowed: Uint8Array | undefined,
  k: number,
): ScoredItem[] {
  const top = new Top(k);
  let least = 0;
  for (const item of touched)
    if (sums[item]! > least && isAllowed(allowed, item)) least = top.offer(item, sums[item]!);
  return top.ranked();
}

/** Returns false if an item with this sum stays below a score, whichever weaker terms it holds. */
function canReach(
  inverted: Inverted,
  weighing: Weighing,
  weaker: readonly BoundedTerm[],
  { item, sum, norm }: { readonly item: number; readonly sum: number; readonly norm: number },
  least: number,
): boolean {
  let most = sum;
  for (const { term, bound, rest } of weaker) {
    if ((most + bound + rest) * ABOVE < least) return false;
    const frequency = frequencyIn(inverted, term.term, item);
    if (frequency > 0) most += weighing.contribution(term.weight, term.idf, frequency, norm);
  }
  return most * ABOVE >= least;
}

/** Adds a term's contributions to the sums of its items; `touched` collects each item once. */
function addPostings(
  inverted: Inverted,
  { contribution }: Weighing,
  normOf: (item: number) => number,
  { term, weight, idf }: WeighedTerm,
  { sums, touched }: Sums,
): void {
  const { offsets, blocks, terms } = inverted;
  for (let block = 0; block < blocks; block++) {
    const row = block * (terms + 1) + term;
    const [from, to] = [offsets[row]!, offsets[row + 1]!];
    const { base, items, frequencies } = inverted.postings(from, to);
    for (let at = from - base; at < to - base; at++) {
      const item = (block << BLOCK_BITS) + items[at]!;
      const frequency = frequencyAt(inverted, base + at, frequencies[at]!);
      if (sums[item] === 0) touched.push(item);
      sums[item]! += contribution(weight, idf, frequency, normOf(item));
    }
  }
}

/** Adds the contributions in the order of the query, as every search does. */
function exactScore(
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
