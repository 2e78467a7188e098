/**
 * Finds candidates by sums of rounded contributions in WebAssembly and scores only those in
 * float64.
 */

import { bestOf, type ScoredItem } from '../../../core/ranking/top.ts';
import { CompiledPostings, type CompiledTerm, paddedBytes } from './compiled-postings.ts';
import { BLOCK_BITS, BLOCK_SIZE, frequencyIn, type Inverted } from './inverted.ts';
import { KERNEL_LIMITS, LAYOUT } from './kernel.ts';
import type { WeighedTerm, Weighing } from './scorer.ts';
import type { SegmentView } from './segment-view.ts';

/** Added to the error bound: float64 rounding before the rounding up is far below a unit. */
const MARGIN = 1;

/** Raises a bound above its float64 rounding. */
const ABOVE = 1 + 1e-9;

/** The difference between current scores, divided by `factor`, and compiled ones. */
interface Drift {
  readonly factor: number;
  /**
   * The most by which a true score exceeds, and falls below, the compiled one, in units of sums.
   */
  readonly above: number;
  readonly below: number;
}

const NO_DRIFT: Drift = { factor: 1, above: 0, below: 0 };

/** Number of items of rare terms that are ranked before the scan. */
const SEEDS = 48;

/**
 * Contributions are rounded up, so the true score of an item, in the same unit, lies in (sum -
 * terms, sum]. An item whose sum is more than the number of terms below the k-th best sum therefore
 * scores less than k others and is left out; all others are scored exactly.
 *
 * A collection changes faster than recompiling pays off: current scores, divided by a factor, lie
 * in (sum - terms - below, sum + above], with bounds known for each query, and an item is left out
 * if its sum is more than terms + below + above below the k-th best.
 *
 * Terms whose idf is far below that of their frequency contribute little: sums leave them out, and
 * `above` has the most that they add.
 */
export class CompiledSearch {
  private readonly inverted: Inverted;
  private readonly compiled: CompiledPostings;
  private readonly words: Uint32Array;
  private readonly octets: Uint8Array;
  /** Terms of the query in their order. */
  private readonly entries: CompiledTerm[] = [];
  /** By the place of a term in the query: its largest contribution to sums. */
  private readonly largest: number[] = [];
  /** Places of terms that have a column, by descending largest contribution. */
  private readonly dense: number[] = [];
  /** By place: the addresses of a term's postings in the current block. */
  private readonly from: number[] = [];
  private readonly to: number[] = [];
  private readonly order: number[] = [];
  /** The most that the terms contribute that sums leave out. */
  private leftOut = 0;
  private readonly items: Uint32Array = new Uint32Array(KERNEL_LIMITS.candidates);
  private readonly scores: Float64Array = new Float64Array(KERNEL_LIMITS.candidates);
  private readonly norms: Float64Array = new Float64Array(KERNEL_LIMITS.candidates);

  private constructor(inverted: Inverted, compiled: CompiledPostings) {
    this.inverted = inverted;
    this.compiled = compiled;
    this.words = new Uint32Array(compiled.kernel.buffer);
    this.octets = new Uint8Array(compiled.kernel.buffer);
  }

  /** Returns undefined if no kernel can be created. `most`: bytes of compiled terms, at most. */
  static create(view: SegmentView, weighing: Weighing, most?: number): CompiledSearch | undefined {
    const compiled = CompiledPostings.create(view, weighing, most);
    return compiled && new CompiledSearch(view.segment.inverted, compiled);
  }

  /** Bytes of compiled terms. */
  get bytes(): number {
    return this.compiled.bytes;
  }

  has(term: number): boolean {
    return this.compiled.has(term);
  }

  /**
   * Returns the best k items that score at least `floor`, or undefined if the query exceeds the
   * kernel's limits, so that the caller must search exhaustively. Compiles terms that are not yet.
   * `weighing` may rest on other statistics than the compiled ones.
   */
  search(
    view: SegmentView,
    weighing: Weighing,
    query: { readonly terms: readonly WeighedTerm[]; readonly allowed?: Uint8Array | undefined },
    k: number,
    floor: number,
  ): ScoredItem[] | undefined {
    const { terms, allowed } = query;
    const { kernel, scale } = this.compiled;
    if (!this.readTerms(terms)) return undefined;
    const sum = this.readBounds(terms, weighing);
    if (k > KERNEL_LIMITS.k || sum > KERNEL_LIMITS.sum) return undefined;
    const { factor, above: drifted, below } = this.drift(weighing, terms);
    const { leftOut } = this;
    const above = drifted + (leftOut * scale) / factor;
    const cut = Math.floor((floor * scale) / factor - above) - MARGIN;
    if (cut > sum) return [];
    this.chooseColumns(terms);
    const slack = terms.length + MARGIN + Math.ceil(above + below);
    const filtered = allowed === undefined ? 0 : 1;
    kernel.begin(k, slack, this.dense.length, filtered, Math.max(1, cut));
    let count = 0;
    for (let block = 0; block < this.inverted.blocks; block++) {
      const items = this.prepareBlock(block, terms, allowed);
      this.addTerms(terms.length);
      if (block === 0) this.seed(terms.length);
      count = kernel.scan(paddedBytes(items), block << BLOCK_BITS);
    }
    if (count < 0) return undefined;
    const best = this.rescore(kernel.drop(), view, weighing, terms, k);
    // Items of terms that are left out, and of no other, have no sum.
    return leftOut > 0 && Math.max(floor, best[k - 1]?.score ?? 0) <= leftOut ? undefined : best;
  }

  /**
   * Bounds the difference between current contributions of the query's terms and compiled ones:
   * idf' / idf of each term, times the effect of another average length a' on tf / (tf + norm),
   * which lies between 1 and a' / a. Their mean, weighted by the terms' largest contributions,
   * scales all scores alike; the rest changes a sum by at most `above` or `below`.
   */
  private drift(weighing: Weighing, terms: readonly WeighedTerm[]): Drift {
    const { entries } = this;
    const lengths = weighing.compilable!.average / this.compiled.average;
    if (lengths === 1 && hasIdfs(terms, entries)) return NO_DRIFT;
    let [sum, moved] = [0, 0];
    for (let i = 0; i < terms.length; i++) {
      const { idf, isLow } = terms[i]!;
      if (isLow) continue;
      const { largest, idf: compiled } = entries[i]!;
      sum += largest;
      moved += (largest * idf) / compiled;
    }
    if (sum === 0) return NO_DRIFT;
    const factor = ((moved / sum) * (1 + lengths)) / 2;
    let [above, below] = [0, 0];
    for (let i = 0; i < terms.length; i++) {
      const { idf, isLow } = terms[i]!;
      if (isLow) continue;
      const { largest, idf: compiled } = entries[i]!;
      const ratio = idf / compiled / factor;
      above += Math.max(0, ratio * Math.max(1, lengths) - 1) * largest;
      below += Math.max(0, 1 - ratio * Math.min(1, lengths)) * largest;
    }
    return { factor, above: above * ABOVE, below: below * ABOVE };
  }

  /**
   * Looks up the terms of the query, or compiles them. Returns false if the memory has no room for
   * all of them.
   */
  private readTerms(terms: readonly WeighedTerm[]): boolean {
    const { compiled, entries } = this;
    for (const isLast of [false, true]) {
      entries.length = 0;
      for (const { term, fullIdf } of terms) {
        const entry = compiled.term(term, fullIdf);
        if (!entry) break;
        entries.push(entry);
      }
      if (entries.length === terms.length) return true;
      if (!isLast) compiled.clear();
    }
    return false;
  }

  /** Looks up the largest contributions of the query's terms to sums; returns their sum. */
  private readBounds(terms: readonly WeighedTerm[], weighing: Weighing): number {
    let sum = 0;
    this.leftOut = 0;
    for (let i = 0; i < terms.length; i++) {
      const { weight, idf, isLow } = terms[i]!;
      if (isLow) this.leftOut += weighing.bound(weight, idf);
      sum += this.largest[i] = isLow ? 0 : this.entries[i]!.largest;
    }
    return sum;
  }

  /**
   * Orders the terms that have a column by descending largest contribution, and writes the sum that
   * remains after each.
   */
  private chooseColumns(terms: readonly WeighedTerm[]): void {
    const { dense, entries, largest, words } = this;
    dense.length = 0;
    for (let i = 0; i < terms.length; i++) {
      if (entries[i]!.column === 0 || terms[i]!.isLow) continue;
      let at = dense.length;
      for (; at > 0 && largest[dense[at - 1]!]! < largest[i]!; at--) dense[at] = dense[at - 1]!;
      dense[at] = i;
    }
    const last = (LAYOUT.remainders >>> 2) + dense.length;
    words[last] = 0;
    for (let i = dense.length - 1, at = last - 1; i >= 0; i--, at--)
      words[at] = words[at + 1]! + largest[dense[i]!]!;
  }

  /** Writes the kernel's inputs for a block; returns the number of its items. */
  private prepareBlock(
    block: number,
    terms: readonly WeighedTerm[],
    allowed: Uint8Array | undefined,
  ): number {
    const { inverted, dense, entries, words, octets, from, to } = this;
    const base = block << BLOCK_BITS;
    const items = Math.min(BLOCK_SIZE, inverted.size - base);
    for (let i = 0; i < dense.length; i++) words[i] = entries[dense[i]!]!.column + base * 2;
    if (allowed !== undefined) {
      octets.fill(0, LAYOUT.allowed + items, LAYOUT.allowed + paddedBytes(items) / 2);
      octets.set(allowed.subarray(base, base + items), LAYOUT.allowed);
    }
    for (let i = 0; i < terms.length; i++) {
      const { addresses } = entries[i]!;
      from[i] = addresses[block]!;
      to[i] = terms[i]!.isLow ? from[i]! : addresses[block + 1]!;
    }
    return items;
  }

  private addTerms(count: number): void {
    const { from, to } = this;
    const { kernel } = this.compiled;
    for (let i = 0; i < count; i++) if (to[i]! > from[i]!) kernel.add(from[i]!, to[i]!);
  }

  /**
   * Ranks items of the rarest terms, whose sums are likely high: the k-th of these sums bounds the
   * k-th best of all.
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

  private rescore(
    count: number,
    view: SegmentView,
    weighing: Weighing,
    terms: readonly WeighedTerm[],
    k: number,
  ): ScoredItem[] {
    const { inverted, words, octets, norms } = this;
    const normOf = weighing.norms(view);
    const known = count * terms.length <= KERNEL_LIMITS.matches;
    if (known) this.matchCandidates(count);
    const { items, scores } = this;
    for (let i = 0, at = LAYOUT.candidates >>> 2; i < count; i++, at += 2) {
      items[i] = words[at]!;
      scores[i] = 0;
      norms[i] = normOf(items[i]!);
    }
    for (let t = 0; t < terms.length; t++) {
      const { term, weight, idf } = terms[t]!;
      const matches = LAYOUT.matches + t * count;
      for (let i = 0; i < count; i++) {
        let frequency = known ? octets[matches + i]! : KERNEL_LIMITS.frequency;
        if (frequency === 0) continue;
        if (frequency >= KERNEL_LIMITS.frequency)
          frequency = frequencyIn(inverted, term, items[i]!);
        if (frequency > 0) scores[i]! += weighing.contribution(weight, idf, frequency, norms[i]!);
      }
    }
    return bestOf(items, scores, count, k);
  }

  /** Writes the frequency of every term in every candidate, by the kernel: byte `t * count + i`. */
  private matchCandidates(count: number): void {
    const { words, entries } = this;
    const { kernel } = this.compiled;
    for (let first = 0; first < count; ) {
      const block = words[(LAYOUT.candidates >>> 2) + 2 * first]! >>> BLOCK_BITS;
      let last = first + 1;
      while (last < count && words[(LAYOUT.candidates >>> 2) + 2 * last]! >>> BLOCK_BITS === block)
        last++;
      for (let t = 0; t < entries.length; t++) {
        const { column, addresses } = entries[t]!;
        const [from, to] = [addresses[block]!, addresses[block + 1]!];
        const out = LAYOUT.matches + t * count + first;
        if (column > 0)
          kernel.columnFrequencies(column + (block << BLOCK_BITS) * 2, first, last, out);
        else if (to > from) kernel.frequencies(from, to, first, last, out);
        else this.octets.fill(0, out, out + last - first);
      }
      first = last;
    }
  }
}

/** Returns true if the terms have the idfs that were compiled. */
function hasIdfs(terms: readonly WeighedTerm[], entries: readonly CompiledTerm[]): boolean {
  for (let i = 0; i < terms.length; i++) {
    const { idf, isLow } = terms[i]!;
    if (!isLow && idf !== entries[i]!.idf) return false;
  }
  return true;
}
