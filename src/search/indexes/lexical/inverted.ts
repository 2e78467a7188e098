/** Stores postings in typed arrays: the items that hold each term, with frequencies. */
import type { Dictionary } from './dictionary.ts';

/** Items are addressed inside blocks of 65,536, so that a posting's item fits in two bytes. */
export const BLOCK_BITS = 16;
export const BLOCK_SIZE: number = 1 << BLOCK_BITS;
/** Frequencies of this value or more are in the overflow table. */
export const OVERFLOW = 255;

/**
 * Postings block by block, term by term, item by item: those of term `t` in block `s` are
 * `offsets[s * (terms + 1) + t] .. offsets[s * (terms + 1) + t + 1]`. The item of a posting is `s *
 * 65536 + items[p]`.
 */
export interface Inverted {
  readonly size: number;
  readonly terms: number;
  readonly blocks: number;
  readonly dictionary: Dictionary;
  readonly offsets: Uint32Array;
  readonly items: Uint16Array;
  /** min(term frequency, 255). */
  readonly frequencies: Uint8Array;
  /** Ascending positions of postings with a frequency of 255 or more, and those frequencies. */
  readonly overflowAt: Uint32Array;
  readonly overflowFrequency: Uint32Array;
  /** Terms in an item, counted with repetition. */
  readonly lengths: Uint32Array;
}

/** Counts the items that hold the term. */
export function documentFrequency(inverted: Inverted, term: number): number {
  let count = 0;
  for (let block = 0; block < inverted.blocks; block++) {
    const row = block * (inverted.terms + 1) + term;
    count += inverted.offsets[row + 1]! - inverted.offsets[row]!;
  }
  return count;
}

/** Returns the frequency of the posting at `position`. */
export function frequencyAt(inverted: Inverted, position: number): number {
  const stored = inverted.frequencies[position]!;
  return stored < OVERFLOW
    ? stored
    : inverted.overflowFrequency[lowerBound(inverted.overflowAt, position)]!;
}

function lowerBound(sorted: Uint32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the position of the posting of a term in an item, or -1. Interpolates, since items are
 * spread evenly enough.
 */
export function postingOf(inverted: Inverted, term: number, item: number): number {
  const row = (item >>> BLOCK_BITS) * (inverted.terms + 1) + term;
  return findItem(
    inverted.items,
    inverted.offsets[row]!,
    inverted.offsets[row + 1]!,
    item & (BLOCK_SIZE - 1),
  );
}

function findItem(items: Uint16Array, from: number, to: number, item: number): number {
  let low = from;
  let high = to - 1;
  while (low <= high) {
    const first = items[low]!;
    const last = items[high]!;
    if (item < first || item > last) return -1;
    // Every other step halves the range, so that an uneven spread cannot make the search long.
    const guess =
      first === last ? low : low + Math.floor(((item - first) * (high - low)) / (last - first));
    const candidate = items[guess]!;
    if (candidate === item) return guess;
    if (candidate < item) low = guess + 1;
    else high = guess - 1;
    if (low > high) return -1;
    const middle = (low + high) >>> 1;
    if (items[middle]! < item) low = middle + 1;
    else high = middle;
  }
  return -1;
}

/** Returns the frequency of a term in an item, 0 if the item lacks it. */
export function frequencyIn(inverted: Inverted, term: number, item: number): number {
  const position = postingOf(inverted, term, item);
  return position < 0 ? 0 : frequencyAt(inverted, position);
}
