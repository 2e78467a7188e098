/**
 * The fast search: sums of rounded contributions in WebAssembly find the items that may be among
 * the best k; those alone are scored in float64.
 *
 * Contributions are rounded up, so the true score of an item, in the same unit, lies in (sum -
 * terms, sum]. An item whose sum is more than the number of terms below the k-th best sum therefore
 * scores less than k others, and is left out; every other one is scored exactly.
 */

import { bestOf, type ScoredItem } from '../top.ts';
import { type CompiledPostings, paddedBytes } from './compiled-postings.ts';
import { frequencyIn, type Inverted, SEGMENT_BITS, SEGMENT_SIZE } from './inverted.ts';
import { KERNEL_LIMITS, LAYOUT } from './kernel.ts';
import type { WeighedTerm, Weighing } from './scorer.ts';

/** One more than the error bound: float64 rounding before the rounding up is far below a unit. */
const MARGIN = 1;

/** How many items of rare terms are taken before the scan. */
const SEEDS = 48;

export class CompiledSearch {
  readonly bytes: number;
  private readonly inverted: Inverted;
  private readonly weighing: Weighing;
  private readonly compiled: CompiledPostings;
  private readonly words: Uint32Array;
  private readonly octets: Uint8Array;
  /**
   * The postings of the query's terms in the current segment, and those of its terms that have a
   * column.
   */
  private readonly from: number[] = [];
  private readonly to: number[] = [];
  private readonly dense: number[] = [];
  private readonly order: number[] = [];
  private readonly items: Uint32Array = new Uint32Array(KERNEL_LIMITS.candidates);
  private readonly scores: Float64Array = new Float64Array(KERNEL_LIMITS.candidates);

  constructor(inverted: Inverted, weighing: Weighing, compiled: CompiledPostings) {
    this.inverted = inverted;
    this.weighing = weighing;
    this.compiled = compiled;
    this.bytes = compiled.bytes;
    this.words = new Uint32Array(compiled.kernel.buffer);
    this.octets = new Uint8Array(compiled.kernel.buffer);
  }

  /**
   * undefined when the query is beyond what this search can do exactly: then the exhaustive one
   * answers.
   */
  search(
    terms: readonly WeighedTerm[],
    k: number,
    allowed: Uint8Array | undefined,
  ): ScoredItem[] | undefined {
    const { kernel } = this.compiled;
    let sum = 0;
    for (let i = 0; i < terms.length; i++) sum += this.compiled.largest[terms[i]!.term]!;
    if (k > KERNEL_LIMITS.k || sum > KERNEL_LIMITS.sum) return undefined;
    this.chooseColumns(terms);
    kernel.begin(k, terms.length + MARGIN, this.dense.length, allowed === undefined ? 0 : 1);
    let count = 0;
    for (let segment = 0; segment < this.inverted.segments; segment++) {
      const items = this.prepareSegment(segment, terms, allowed);
      this.addTerms(terms.length);
      if (segment === 0) this.seed(terms.length);
      count = kernel.scan(paddedBytes(items), segment << SEGMENT_BITS);
    }
    return count < 0 ? undefined : this.rescore(kernel.drop(), terms, k);
  }

  /**
   * The columns of the query's terms, those that can add most first, and what remains after each.
   */
  private chooseColumns(terms: readonly WeighedTerm[]): void {
    const { dense, words } = this;
    const { columns, largest } = this.compiled;
    dense.length = 0;
    for (let i = 0; i < terms.length; i++) {
      const { term } = terms[i]!;
      if (!columns.has(term)) continue;
      let at = dense.length;
      for (; at > 0 && largest[dense[at - 1]!]! < largest[term]!; at--) dense[at] = dense[at - 1]!;
      dense[at] = term;
    }
    const last = (LAYOUT.remainders >>> 2) + dense.length;
    words[last] = 0;
    for (let i = dense.length - 1, at = last - 1; i >= 0; i--, at--)
      words[at] = words[at + 1]! + largest[dense[i]!]!;
  }

  /** Puts what the kernel needs to know of a segment in place; returns the number of its items. */
  private prepareSegment(
    segment: number,
    terms: readonly WeighedTerm[],
    allowed: Uint8Array | undefined,
  ): number {
    const { inverted, dense, words, octets, from, to } = this;
    const { addresses, columns } = this.compiled;
    const base = segment << SEGMENT_BITS;
    const items = Math.min(SEGMENT_SIZE, inverted.size - base);
    for (let i = 0; i < dense.length; i++) words[i] = columns.get(dense[i]!)! + base * 2;
    if (allowed !== undefined) {
      octets.fill(0, LAYOUT.allowed + items, LAYOUT.allowed + paddedBytes(items) / 2);
      octets.set(allowed.subarray(base, base + items), LAYOUT.allowed);
    }
    const row = segment * (inverted.terms + 1);
    for (let i = 0; i < terms.length; i++) {
      from[i] = addresses[row + terms[i]!.term]!;
      to[i] = addresses[row + terms[i]!.term + 1]!;
    }
    return items;
  }

  private addTerms(count: number): void {
    const { from, to } = this;
    const { kernel } = this.compiled;
    for (let i = 0; i < count; i++) if (to[i]! > from[i]!) kernel.add(from[i]!, to[i]!);
  }

  /**
   * Ranks items of the rarest terms, whose sums are likely high: whatever k items reach is a bound
   * for the best k of all.
   */
  private seed(count: number): void {
    const { from, to, order } = this;
    const { kernel } = this.compiled;
    order.length = 0;
    for (let i = 0; i < count; i++) {
      const length = to[i]! - from[i]!;
      if (length === 0) continue;
      let at = order.length;
      for (; at > 0 && to[order[at - 1]!]! - from[order[at - 1]!]! > length; at--)
        order[at] = order[at - 1]!;
      order[at] = i;
    }
    let left = SEEDS * 4;
    let last = 0;
    for (; last < order.length && left > 0; last++) {
      const i = order[last]!;
      left -= to[i]! - from[i]!;
      kernel.seed(from[i]!, left < 0 ? to[i]! + left : to[i]!);
    }
    for (let at = 0; at < last; at++)
      kernel.unmark(
        from[order[at]!]!,
        at === last - 1 && left < 0 ? to[order[at]!]! + left : to[order[at]!]!,
      );
  }

  private rescore(count: number, terms: readonly WeighedTerm[], k: number): ScoredItem[] {
    const { inverted, weighing, words, octets } = this;
    const known = count * terms.length <= KERNEL_LIMITS.matches;
    if (known) this.matchCandidates(count, terms);
    const { items, scores } = this;
    for (let i = 0, at = LAYOUT.candidates >>> 2; i < count; i++, at += 2) {
      items[i] = words[at]!;
      scores[i] = 0;
    }
    for (let t = 0; t < terms.length; t++) {
      const { term, weight, idf } = terms[t]!;
      const matches = LAYOUT.matches + t * count;
      for (let i = 0; i < count; i++) {
        let frequency = known ? octets[matches + i]! : KERNEL_LIMITS.frequency;
        if (frequency === 0) continue;
        const item = items[i]!;
        if (frequency >= KERNEL_LIMITS.frequency) frequency = frequencyIn(inverted, term, item);
        if (frequency > 0) scores[i]! += weighing.contribution(weight, idf, frequency, item);
      }
    }
    return bestOf(items, scores, count, k);
  }

  /** Has the kernel write the frequency of every term in every candidate: byte `t * count + i`. */
  private matchCandidates(count: number, terms: readonly WeighedTerm[]): void {
    const { inverted, words } = this;
    const { kernel, addresses, columns } = this.compiled;
    for (let first = 0; first < count; ) {
      const segment = words[(LAYOUT.candidates >>> 2) + 2 * first]! >>> SEGMENT_BITS;
      let last = first + 1;
      while (
        last < count &&
        words[(LAYOUT.candidates >>> 2) + 2 * last]! >>> SEGMENT_BITS === segment
      )
        last++;
      const row = segment * (inverted.terms + 1);
      for (let t = 0; t < terms.length; t++) {
        const { term } = terms[t]!;
        const out = LAYOUT.matches + t * count + first;
        const column = columns.get(term);
        if (column !== undefined)
          kernel.columnFrequencies(column + (segment << SEGMENT_BITS) * 2, first, last, out);
        else if (addresses[row + term + 1]! > addresses[row + term]!)
          kernel.frequencies(addresses[row + term]!, addresses[row + term + 1]!, first, last, out);
        else this.octets.fill(0, out, out + last - first);
      }
      first = last;
    }
  }
}
