/**
 * Searches a small segment for scores that reach a floor set by other segments (MaxScore, Turtle
 * and Flood 1995): terms whose summed bounds stay below the floor yield no candidates.
 */
import { type ScoredItem, Top } from '../top.ts';
import { BLOCK_BITS, frequencyAt, frequencyIn, type Inverted, OVERFLOW } from './inverted.ts';
import { scoreSums } from './score-sums.ts';
import type { WeighedTerm, Weighing } from './scorer.ts';
import type { SegmentView } from './segment-view.ts';

/** Raises a sum above rounding in another order of additions. */
const ABOVE = 1 + 1e-9;

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
  const { essential, rest } = essentialTerms(terms, weighing, floor);
  if (essential.length === 0) return [];
  const sums = scoreSums(inverted.size);
  const touched: number[] = [];
  for (let i = 0; i < essential.length; i++)
    addPostings(inverted, weighing, normOf, essential[i]!, { sums, touched });
  const top = new Top(k);
  for (let i = 0; i < touched.length; i++) {
    const item = touched[i]!;
    const most = (sums[item]! + rest) * ABOVE;
    sums[item] = 0;
    if (most < floor || (allowed !== undefined && allowed[item] !== 1)) continue;
    const score = scoreOf(inverted, weighing, terms, normOf(item), item);
    if (score >= floor) top.offer(item, score);
  }
  return top.ranked();
}

/**
 * Returns the terms without the weakest, whose bounds together, `rest`, stay below the floor.
 */
function essentialTerms(
  terms: readonly WeighedTerm[],
  weighing: Weighing,
  floor: number,
): { readonly essential: readonly WeighedTerm[]; readonly rest: number } {
  const boundOf = ({ weight, idf }: WeighedTerm): number => weighing.bound(weight, idf);
  const essential = [...terms].sort((a, b) => boundOf(b) - boundOf(a));
  let rest = 0;
  while (essential.length > 0) {
    const bound = boundOf(essential.at(-1)!);
    if (rest + bound >= floor) break;
    rest += bound;
    essential.pop();
  }
  return { essential, rest };
}

/** Adds a term's contributions to the sums of its items; `touched` collects each item once. */
function addPostings(
  inverted: Inverted,
  { contribution }: Weighing,
  normOf: (item: number) => number,
  { term, weight, idf }: WeighedTerm,
  { sums, touched }: { readonly sums: Float64Array; readonly touched: number[] },
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
