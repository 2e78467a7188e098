/**
 * Compiles a scorer's contributions into postings as whole numbers, rounded up, in the memory of a
 * kernel.
 */

import type { Steps } from '../../../core/steps.ts';
import { BLOCK_BITS, documentFrequency, frequencyAt, type Inverted, OVERFLOW } from './inverted.ts';
import { createKernel, KERNEL_LIMITS, type Kernel, LAYOUT } from './kernel.ts';
import type { Weighing } from './scorer.ts';
import type { SegmentView } from './segment-view.ts';

/**
 * Terms held by at least one item in this many get a column: a number for every item, added eight
 * at a time.
 */
const COLUMN_SHARE = 8;

export interface CompiledPostings {
  readonly kernel: Kernel;
  /** Addresses of postings, laid out as `Inverted.offsets`; terms with a column have none. */
  readonly addresses: Uint32Array;
  /** The largest contribution of each term. */
  readonly largest: Uint16Array;
  /** Address of a term's column, for terms that have one. */
  readonly columns: ReadonlyMap<number, number>;
  /** The statistics that were compiled: the idf of each term, and the average length. */
  readonly idfs: Float64Array;
  readonly average: number;
  /** The whole number that represents a contribution of 1. */
  readonly scale: number;
  readonly bytes: number;
}

/** Postings that are compiled, or terms of a block that are placed, in one step. */
const STEP = 1 << 16;

/** Returns the bytes of so many sums, padded to whole blocks of the scan. */
export const paddedBytes = (items: number): number => Math.ceil(items / 32) * 64;

/** The numbers that contributions are computed from. */
interface Contributions {
  readonly inverted: Inverted;
  readonly weighing: Weighing;
  readonly normOf: (item: number) => number;
  readonly idfs: Float64Array;
  readonly scale: number;
}

/**
 * Compiles the postings of a segment, in steps; returns undefined if no kernel can be created.
 * `idfs` holds the idf of each term in the whole collection.
 */
export function* compilePostings(
  view: SegmentView,
  weighing: Weighing,
  idfs: Float64Array,
): Steps<CompiledPostings | undefined> {
  const { inverted } = view.segment;
  const { terms, blocks, offsets } = inverted;
  const columns = chooseColumns(inverted);
  const addresses = new Uint32Array(blocks * (terms + 1));
  let address: number = LAYOUT.data;
  for (const term of columns.keys()) {
    columns.set(term, address);
    address += paddedBytes(inverted.size);
  }
  const dense = new Uint8Array(terms);
  for (const term of columns.keys()) dense[term] = 1;
  for (let block = 0; block < blocks; block++) {
    const row = block * (terms + 1);
    if (block > 0) yield terms;
    for (let term = 0; term < terms; term++) {
      addresses[row + term] = address;
      if (dense[term] === 0) address += 4 * (offsets[row + term + 1]! - offsets[row + term]!);
    }
    addresses[row + terms] = address;
  }
  const kernel = createKernel(address - LAYOUT.data);
  if (kernel === undefined) return undefined;
  const largest = new Uint16Array(terms);
  const { ceiling, average } = weighing.compilable!;
  const scale = KERNEL_LIMITS.contribution / ceiling(view);
  const from = { inverted, weighing, normOf: weighing.norms(view), idfs, scale };
  const halves = new Uint16Array(kernel.buffer);
  const words = new Uint32Array(kernel.buffer);
  for (let term = 0, work = 0; term < terms; term++) {
    work += blocks + documentFrequency(inverted, term);
    if (work > STEP) {
      yield work;
      work = 0;
    }
    const column = dense[term] === 1 ? columns.get(term) : undefined;
    largest[term] =
      column === undefined
        ? fillPostings(from, term, words, addresses)
        : fillColumn(from, term, halves, column);
  }
  return {
    kernel,
    addresses,
    largest,
    columns,
    idfs,
    average,
    scale,
    bytes: idfs.byteLength + kernel.buffer.byteLength + addresses.byteLength + largest.byteLength,
  };
}

/** Returns the most frequent terms that qualify for a column; the caller sets their addresses. */
function chooseColumns(inverted: Inverted): Map<number, number> {
  const frequent: { term: number; frequency: number }[] = [];
  for (let term = 0; term < inverted.terms; term++) {
    const frequency = documentFrequency(inverted, term);
    if (frequency * COLUMN_SHARE >= inverted.size) frequent.push({ term, frequency });
  }
  frequent.sort((a, b) => b.frequency - a.frequency);
  return new Map(frequent.slice(0, KERNEL_LIMITS.columns).map(({ term }) => [term, 0]));
}

/**
 * Writes one word per posting: item * 2 | frequency << 17 | contribution << 22. Returns the largest
 * contribution.
 */
function fillPostings(
  { inverted, weighing, normOf, idfs, scale }: Contributions,
  term: number,
  words: Uint32Array,
  addresses: Uint32Array,
): number {
  const { offsets, items, frequencies, terms, blocks } = inverted;
  const idf = idfs[term]!;
  let most = 0;
  for (let block = 0; block < blocks; block++) {
    const row = block * (terms + 1) + term;
    let word = addresses[row]! >>> 2;
    for (let at = offsets[row]!, end = offsets[row + 1]!; at < end; at++) {
      const item = items[at]!;
      const stored = frequencies[at]!;
      const frequency = stored < OVERFLOW ? stored : frequencyAt(inverted, at);
      const value = rounded(
        weighing.contribution(1, idf, frequency, normOf((block << BLOCK_BITS) + item)) * scale,
      );
      if (value > most) most = value;
      words[word++] =
        (item << 1) | (Math.min(frequency, KERNEL_LIMITS.frequency) << 17) | (value << 22);
    }
  }
  return most;
}

/**
 * Writes a half word per item: contribution | frequency << 10. Returns the largest contribution.
 */
function fillColumn(
  { inverted, weighing, normOf, idfs, scale }: Contributions,
  term: number,
  halves: Uint16Array,
  column: number,
): number {
  const { offsets, items, terms, blocks } = inverted;
  const idf = idfs[term]!;
  let most = 0;
  for (let block = 0; block < blocks; block++) {
    const row = block * (terms + 1) + term;
    for (let at = offsets[row]!, end = offsets[row + 1]!; at < end; at++) {
      const item = (block << BLOCK_BITS) + items[at]!;
      const frequency = frequencyAt(inverted, at);
      const value = rounded(weighing.contribution(1, idf, frequency, normOf(item)) * scale);
      if (value > most) most = value;
      halves[(column >>> 1) + item] =
        value | (Math.min(frequency, KERNEL_LIMITS.columnFrequency) << 10);
    }
  }
  return most;
}

/**
 * Rounds up to a whole number, at most the largest that a posting holds: float64 rounding may
 * exceed the ceiling.
 */
const rounded = (value: number): number => Math.min(KERNEL_LIMITS.contribution, Math.ceil(value));
