/**
 * Stores postings in typed arrays, in memory or in a file: the items that hold each term, with
 * frequencies.
 */
import type { Dictionary } from './dictionary.ts';

/** Items are addressed inside blocks of 65,536, so that a posting's item fits in two bytes. */
export const BLOCK_BITS = 16;
export const BLOCK_SIZE: number = 1 << BLOCK_BITS;
/** Frequencies of this value or more are in the overflow table. */
export const OVERFLOW = 255;

/** Postings from the position `base` on. */
export interface Postings {
  readonly base: number;
  readonly items: Uint16Array;
  /** min(term frequency, 255). */
  readonly frequencies: Uint8Array;
}

/**
 * Postings block by block, term by term, item by item: those of term `t` in block `s` are
 * `offsets[s * (terms + 1) + t] .. offsets[s * (terms + 1) + t + 1]`. The item of the posting `p`
 * is `s * 65536 + items[p - base]`.
 */
export interface Inverted {
  readonly size: number;
  readonly terms: number;
  readonly blocks: number;
  readonly dictionary: Dictionary;
  readonly offsets: Uint32Array;
  /** Returns postings with those from one position to another. */
  readonly postings: (from: number, to: number) => Postings;
  /** Ascending positions of postings with a frequency of 255 or more, and those frequencies. */
  readonly overflowAt: Uint32Array;
  readonly overflowFrequency: Uint32Array;
  /** Terms in an item, counted with repetition. */
  readonly lengths: Uint32Array;
}

/** Returns `Inverted.postings` of postings in memory. */
export function heldPostings(items: Uint16Array, frequencies: Uint8Array): Inverted['postings'] {
  const all = { base: 0, items, frequencies };
  return () => all;
}

/** Returns the number of postings. */
export const postingCount = ({ offsets }: Inverted): number => offsets.at(-1)!;

/** Returns all postings, whose base is 0. */
export const allPostings = (inverted: Inverted): Postings =>
  inverted.postings(0, postingCount(inverted));

/** Counts the items that hold the term. */
export function documentFrequency(inverted: Inverted, term: number): number {
  let count = 0;
  for (let block = 0; block < inverted.blocks; block++) {
    const row = block * (inverted.terms + 1) + term;
    count += inverted.offsets[row + 1]! - inverted.offsets[row]!;
  }
  return count;
}

/** Returns the frequency of the posting at `position`, by what `Postings.frequencies` has of it. */
export function frequencyAt(inverted: Inverted, position: number, stored: number): number {
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

/** Returns the frequency of a term in an item, 0 if the item lacks it. */
export function frequencyIn(inverted: Inverted, term: number, item: number): number {
  const row = (item >>> BLOCK_BITS) * (inverted.terms + 1) + term;
  const [from, to] = [inverted.offsets[row]!, inverted.offsets[row + 1]!];
  if (from === to) return 0;
  const { base, items, frequencies } = inverted.postings(from, to);
  const at = findItem(items, from - base, to - base, item & (BLOCK_SIZE - 1));
  return at < 0 ? 0 : frequencyAt(inverted, base + at, frequencies[at]!);
}

/** Returns the place of an item, or -1. Interpolates, since items are spread evenly enough. */
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
