/**
 * The fast search: sums of rounded contributions in WebAssembly find the items that may be among the best k; those alone are scored in float64.
 *
 * Contributions are rounded up, so the true score of an item, in the same unit, lies in (sum - terms, sum]. An item whose sum is more than
 * the number of terms below the k-th best sum therefore scores less than k others, and is left out; every other one is scored exactly.
 */
import { type CompiledPostings, paddedBytes } from './compiled-postings.ts';
import { frequencyIn, type Inverted, SEGMENT_BITS, SEGMENT_SIZE } from './inverted.ts';
import { KERNEL_LIMITS, LAYOUT } from './kernel.ts';
import type { WeighedTerm, Weighing } from './scorer.ts';
import { type Found, Top } from './top.ts';

/** One more than the error bound: float64 rounding before the rounding up is far below a unit. */
const MARGIN = 1;

/** How many items of rare terms are taken before the scan. */
const SEEDS = 128;

export class CompiledSearch {
  readonly bytes: number;
  private readonly inverted: Inverted;
  private readonly weighing: Weighing;
  private readonly compiled: CompiledPostings;
  private readonly words: Uint32Array;
  private readonly octets: Uint8Array;
  /** The postings of the query's terms in the current segment, and the addresses of its terms' columns. */
  private readonly from: number[] = [];
  private readonly to: number[] = [];
  private readonly dense: number[] = [];

  constructor(inverted: Inverted, weighing: Weighing, compiled: CompiledPostings) {
    this.inverted = inverted;
    this.weighing = weighing;
    this.compiled = compiled;
    this.bytes = compiled.bytes;
    this.words = new Uint32Array(compiled.kernel.buffer);
    this.octets = new Uint8Array(compiled.kernel.buffer);
  }

  /** undefined when the query is beyond what this search can do exactly: then the exhaustive one answers. */
  search(terms: readonly WeighedTerm[], k: number, allowed: Uint8Array | undefined): Found[] | undefined {
    const { kernel, largest, columns } = this.compiled;
    const { dense } = this;
    let sum = 0;
    let rest = 0;
    dense.length = 0;
    for (let i = 0; i < terms.length; i++) {
      const { term } = terms[i]!;
      sum += largest[term]!;
      const column = columns.get(term);
      if (column === undefined) continue;
      rest += largest[term]!;
      dense.push(column);
    }
    if (k > KERNEL_LIMITS.k || sum > KERNEL_LIMITS.sum) return undefined;
    const begin = (cut: number): void => kernel.begin(k, terms.length + MARGIN, rest, dense.length, allowed === undefined ? 0 : 1, cut);
    begin(1);
    let count = 0;
    for (let segment = 0; segment < this.inverted.segments; segment++) {
      const items = this.prepareSegment(segment, terms, allowed);
      this.addTerms(terms.length);
      if (segment === 0 && !this.seed(terms.length, rest)) {
        // Seeds are zeroed, and the columns alone could make them candidates again: start over, with the cut that they proved.
        this.octets.fill(0, LAYOUT.sums, LAYOUT.sums + paddedBytes(items));
        begin(kernel.cut());
        this.addTerms(terms.length);
      }
      count = kernel.scan(paddedBytes(items), segment << SEGMENT_BITS);
    }
    return count < 0 ? undefined : this.rescore(kernel.drop(), terms, k);
  }

  /** Puts what the kernel needs to know of a segment in place; returns the number of its items. */
  private prepareSegment(segment: number, terms: readonly WeighedTerm[], allowed: Uint8Array | undefined): number {
    const { inverted, dense, words, octets, from, to } = this;
    const { addresses } = this.compiled;
    const base = segment << SEGMENT_BITS;
    const items = Math.min(SEGMENT_SIZE, inverted.size - base);
    for (let i = 0; i < dense.length; i++) words[i] = dense[i]! + base * 2;
    if (allowed !== undefined) {
      octets.fill(0, LAYOUT.allowed + items, LAYOUT.allowed + paddedBytes(items) / 2);
      for (let item = 0; item < items; item++) octets[LAYOUT.allowed + item] = allowed[base + item] === 1 ? 255 : 0;
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

  /** Takes items of the rarest terms first. False when the columns alone could still make a candidate. */
  private seed(count: number, rest: number): boolean {
    const { from, to } = this;
    const { kernel } = this.compiled;
    let left = SEEDS;
    for (let last = 0; left > 0; ) {
      let rarest = -1;
      let fewest = Number.POSITIVE_INFINITY;
      // The next longer list: there are few terms, and seldom more than a few rounds.
      for (let i = 0; i < count; i++) {
        const length = to[i]! - from[i]! + i / count;
        if (length >= 1 && length > last && length < fewest) {
          rarest = i;
          fewest = length;
        }
      }
      if (rarest < 0) break;
      last = fewest;
      const end = Math.min(to[rarest]!, from[rarest]! + 4 * left);
      left -= (end - from[rarest]!) / 4;
      kernel.seed(from[rarest]!, end, 0);
    }
    return kernel.cut() > rest;
  }

  private rescore(count: number, terms: readonly WeighedTerm[], k: number): Found[] {
    const { inverted, weighing, words, octets } = this;
    const known = count * terms.length <= KERNEL_LIMITS.matches;
    if (known) this.matchCandidates(count, terms);
    const top = new Top(k);
    for (let i = 0; i < count; i++) {
      const item = words[(LAYOUT.candidates >>> 2) + 2 * i]!;
      let score = 0;
      for (let t = 0; t < terms.length; t++) {
        const { term, weight, idf } = terms[t]!;
        let frequency = known ? octets[LAYOUT.matches + t * count + i]! : KERNEL_LIMITS.frequency;
        if (frequency === 0) continue;
        if (frequency >= KERNEL_LIMITS.frequency) frequency = frequencyIn(inverted, term, item);
        if (frequency > 0) score += weighing.contribution(weight, idf, frequency, item);
      }
      top.offer(item, score);
    }
    return top.found();
  }

  /** Has the kernel write the frequency of every term in every candidate: byte `t * count + i`. */
  private matchCandidates(count: number, terms: readonly WeighedTerm[]): void {
    const { inverted, words } = this;
    const { kernel, addresses, columns } = this.compiled;
    for (let first = 0; first < count; ) {
      const segment = words[(LAYOUT.candidates >>> 2) + 2 * first]! >>> SEGMENT_BITS;
      let last = first + 1;
      while (last < count && words[(LAYOUT.candidates >>> 2) + 2 * last]! >>> SEGMENT_BITS === segment) last++;
      const row = segment * (inverted.terms + 1);
      for (let t = 0; t < terms.length; t++) {
        const { term } = terms[t]!;
        const out = LAYOUT.matches + t * count + first;
        const column = columns.get(term);
        if (column !== undefined) kernel.columnFrequencies(column + (segment << SEGMENT_BITS) * 2, first, last, out);
        else if (addresses[row + term + 1]! > addresses[row + term]!)
          kernel.frequencies(addresses[row + term]!, addresses[row + term + 1]!, first, last, out);
        else this.octets.fill(0, out, out + last - first);
      }
      first = last;
    }
  }
}
