/**
 * The search of a small segment for scores that other segments have not reached yet (MaxScore,
 * Turtle and Flood 1995): terms that together cannot reach the floor bring no candidates.
 */
import { type ScoredItem, Top } from '../top.ts';
import { BLOCK_BITS, frequencyIn, type Inverted } from './inverted.ts';
import type { WeighedTerm, Weighing } from './scorer.ts';
import type { SegmentView } from './segment-view.ts';

/** Returns the best k of the allowed items that score at least `floor`, which is above 0. */
export function searchAbove(
  view: SegmentView,
  weighing: Weighing,
  query: { readonly terms: readonly WeighedTerm[]; readonly allowed?: Uint8Array | undefined },
  k: number,
  floor: number,
): ScoredItem[] {
  const { terms, allowed } = query;
  const { inverted } = view.segment;
  const normOf = weighing.norms(view);
  const seen = new Set<number>();
  const top = new Top(k);
  for (const term of essentialTerms(terms, weighing, floor)) {
    eachItem(inverted, term, item => {
      if (seen.has(item) || (allowed !== undefined && allowed[item] !== 1)) return;
      seen.add(item);
      const score = scoreOf(inverted, weighing, terms, normOf(item), item);
      if (score >= floor) top.offer(item, score);
    });
  }
  return top.found();
}

/** Returns the terms without the weakest, whose bounds together stay below the floor. */
function essentialTerms(
  terms: readonly WeighedTerm[],
  weighing: Weighing,
  floor: number,
): number[] {
  const bounds = terms.map(({ term, weight, idf }) => ({
    term,
    bound: weighing.bound(weight, idf),
  }));
  bounds.sort((a, b) => a.bound - b.bound);
  let sum = 0;
  const first = bounds.findIndex(({ bound }) => (sum += bound) >= floor);
  return first < 0 ? [] : bounds.slice(first).map(({ term }) => term);
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

function eachItem(
  { items, offsets, blocks, terms }: Inverted,
  term: number,
  visit: (item: number) => void,
): void {
  for (let block = 0; block < blocks; block++) {
    const row = block * (terms + 1) + term;
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++)
      visit((block << BLOCK_BITS) + items[at]!);
  }
}
