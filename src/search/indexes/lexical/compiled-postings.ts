/**
 * Compiles a scorer's contributions into postings as whole numbers, rounded up, in the memory of a
 * kernel: term by term, when a term is searched, so that memory holds the terms that are in use.
 */

import {
  BLOCK_BITS,
  documentFrequency,
  frequencyAt,
  type Inverted,
  postingCount,
} from './inverted.ts';
import { createKernel, KERNEL_LIMITS, type Kernel, LAYOUT } from './kernel.ts';
import type { Weighing } from './scorer.ts';
import type { SegmentView } from './segment-view.ts';

/**
 * Terms held by at least one item in this many get a column: a number for every item, added eight
 * at a time.
 */
const COLUMN_SHARE = 8;

/**
 * Compiled terms of a segment take at most the larger of so many bytes and of as many for each
 * posting: the terms of 1,200 questions took one byte for each posting, all terms take four.
 */
const MOST_BYTES = 32 << 20;
const MOST_OF_POSTING = 2;
/** Terms begin at multiples of this address. */
const ALIGNED = 64;

/** A term as the kernel reads it. */
export interface CompiledTerm {
  /** Addresses of its postings by block, and where they end; equal ones if it has a column. */
  readonly addresses: Uint32Array;
  /** Address of its column, or 0. */
  readonly column: number;
  /** Its largest contribution. */
  readonly largest: number;
  /** The idf that was compiled. */
  readonly idf: number;
}

/** Returns the bytes of so many sums, padded to whole blocks of the scan. */
export const paddedBytes = (items: number): number => Math.ceil(items / 32) * 64;

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNED) * ALIGNED;

/** Rests on the statistics of one state of the collection, also for terms compiled later. */
export class CompiledPostings {
  readonly kernel: Kernel;
  /** The average length that was compiled. */
  readonly average: number;
  /** The whole number that represents a contribution of 1. */
  readonly scale: number;
  private readonly inverted: Inverted;
  private readonly weighing: Weighing;
  private readonly normOf: (item: number) => number;
  /** The idf of the contribution that is the greatest possible. */
  private readonly mostIdf: number;
  private readonly words: Uint32Array;
  private readonly halves: Uint16Array;
  private readonly terms = new Map<number, CompiledTerm>();
  private columns = 0;
  private end: number = LAYOUT.data;

  private constructor(kernel: Kernel, view: SegmentView, weighing: Weighing) {
    const { ceiling, average } = weighing.compilable!;
    this.kernel = kernel;
    this.average = average;
    this.scale = KERNEL_LIMITS.contribution / ceiling(view);
    this.inverted = view.segment.inverted;
    this.weighing = weighing;
    this.normOf = weighing.norms(view);
    this.mostIdf = weighing.idf(1);
    this.words = new Uint32Array(kernel.buffer);
    this.halves = new Uint16Array(kernel.buffer);
  }

  /** Returns undefined if no kernel can be created. `most`: bytes of terms, at most. */
  static create(
    view: SegmentView,
    weighing: Weighing,
    most: number = Math.max(MOST_BYTES, MOST_OF_POSTING * postingCount(view.segment.inverted)),
  ): CompiledPostings | undefined {
    const { inverted } = view.segment;
    const { terms, size } = inverted;
    const all =
      4 * postingCount(inverted) +
      ALIGNED * terms +
      aligned(paddedBytes(size)) * KERNEL_LIMITS.columns;
    const kernel = createKernel(Math.min(most, all));
    return kernel && new CompiledPostings(kernel, view, weighing);
  }

  /** Bytes of compiled terms. */
  get bytes(): number {
    return this.end - LAYOUT.data;
  }

  has(term: number): boolean {
    return this.terms.has(term);
  }

  /**
   * Returns a term, compiled with an idf unless it is compiled already; undefined if the memory has
   * no room for it.
   */
  term(term: number, idf: number): CompiledTerm | undefined {
    let compiled = this.terms.get(term);
    if (!compiled) {
      compiled = this.compile(term, Math.min(idf, this.mostIdf));
      if (compiled) this.terms.set(term, compiled);
    }
    return compiled;
  }

  /** Drops all terms. */
  clear(): void {
    this.terms.clear();
    this.columns = 0;
    this.end = LAYOUT.data;
  }

  private compile(term: number, idf: number): CompiledTerm | undefined {
    const { inverted, end } = this;
    const frequency = documentFrequency(inverted, term);
    const isDense =
      frequency * COLUMN_SHARE >= inverted.size && this.columns < KERNEL_LIMITS.columns;
    const next = end + aligned(isDense ? paddedBytes(inverted.size) : 4 * frequency);
    if (next > this.kernel.buffer.byteLength) return undefined;
    this.end = next;
    const addresses = new Uint32Array(inverted.blocks + 1).fill(end);
    if (isDense) {
      this.columns++;
      return { addresses, column: end, largest: this.fillColumn(term, idf, end), idf };
    }
    return { addresses, column: 0, largest: this.fillPostings(term, idf, addresses), idf };
  }

  /**
   * Writes one word per posting, item * 2 | frequency << 17 | contribution << 22, and the addresses
   * of blocks. Returns the largest contribution.
   */
  private fillPostings(term: number, idf: number, addresses: Uint32Array): number {
    const { inverted, weighing, normOf, scale, words } = this;
    const { offsets, terms, blocks } = inverted;
    let most = 0;
    let word = addresses[0]! >>> 2;
    for (let block = 0; block < blocks; block++) {
      const row = block * (terms + 1) + term;
      const [from, to] = [offsets[row]!, offsets[row + 1]!];
      const { base, items, frequencies } = inverted.postings(from, to);
      for (let at = from - base; at < to - base; at++) {
        const item = items[at]!;
        const frequency = frequencyAt(inverted, base + at, frequencies[at]!);
        const norm = normOf((block << BLOCK_BITS) + item);
        const value = rounded(weighing.contribution(1, idf, frequency, norm) * scale);
        if (value > most) most = value;
        words[word++] =
          (item << 1) | (Math.min(frequency, KERNEL_LIMITS.frequency) << 17) | (value << 22);
      }
      addresses[block + 1] = 4 * word;
    }
    return most;
  }

  /**
   * Writes a half word per item: contribution | frequency << 10. Returns the largest contribution.
   */
  private fillColumn(term: number, idf: number, column: number): number {
    const { inverted, weighing, normOf, scale, halves } = this;
    const { offsets, terms, blocks } = inverted;
    halves.fill(0, column >>> 1, (column + paddedBytes(inverted.size)) >>> 1);
    let most = 0;
    for (let block = 0; block < blocks; block++) {
      const row = block * (terms + 1) + term;
      const [from, to] = [offsets[row]!, offsets[row + 1]!];
      const { base, items, frequencies } = inverted.postings(from, to);
      for (let at = from - base; at < to - base; at++) {
        const item = (block << BLOCK_BITS) + items[at]!;
        const frequency = frequencyAt(inverted, base + at, frequencies[at]!);
        const value = rounded(weighing.contribution(1, idf, frequency, normOf(item)) * scale);
        if (value > most) most = value;
        halves[(column >>> 1) + item] =
          value | (Math.min(frequency, KERNEL_LIMITS.columnFrequency) << 10);
      }
    }
    return most;
  }
}

/**
 * Rounds up to a whole number, at most the largest that a posting holds: float64 rounding may
 * exceed the ceiling.
 */
const rounded = (value: number): number => Math.min(KERNEL_LIMITS.contribution, Math.ceil(value));
