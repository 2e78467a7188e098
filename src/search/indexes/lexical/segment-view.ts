/** Views a segment as one version of a collection, in which some of its items are removed. */
import type { FactColumn } from './facts.ts';
import { BLOCK_BITS, documentFrequency, frequencyIn, type Inverted } from './inverted.ts';

/** Most postings per removed item for which all postings are scanned. */
const SCAN_BELOW = 16;

/** The contents of a segment that a view reads. */
export interface SegmentContents {
  /** Number of items. */
  readonly size: number;
  /** Number of terms in all items, counted with repetition. */
  readonly total: number;
  readonly inverted: Inverted;
  readonly facts: readonly FactColumn[];
}

export class SegmentView<Segment extends SegmentContents = SegmentContents> {
  readonly segment: Segment;
  /** One byte per item, 1 if it is live; undefined if all are live. */
  readonly live: Uint8Array | undefined;
  /** Number of live items. */
  readonly size: number;
  /** Number of terms in live items, counted with repetition. */
  readonly total: number;
  private readonly removed: readonly number[];
  /** Live frequencies of the terms requested so far; unused if all items are live. */
  private readonly known = new Map<number, number>();

  constructor(segment: Segment, live?: Uint8Array) {
    this.segment = segment;
    const removed: number[] = [];
    let total = segment.total;
    for (let item = live?.indexOf(0) ?? -1; item >= 0; item = live!.indexOf(0, item + 1)) {
      removed.push(item);
      total -= segment.inverted.lengths[item]!;
    }
    this.live = removed.length > 0 ? live : undefined;
    this.removed = removed;
    this.size = segment.size - removed.length;
    this.total = total;
  }

  /** Returns the number of live items that hold a term of the segment. */
  frequency(term: number): number {
    const all = documentFrequency(this.segment.inverted, term);
    if (this.live === undefined || all === 0) return all;
    let live = this.known.get(term);
    if (live === undefined) this.known.set(term, (live = all - this.removedWith(term, all)));
    return live;
  }

  /** Returns the number of live items that hold each term of the segment. */
  frequencies(): Uint32Array {
    const { inverted } = this.segment;
    const frequencies = new Uint32Array(inverted.terms);
    for (let term = 0; term < inverted.terms; term++)
      frequencies[term] = documentFrequency(inverted, term);
    if (this.live)
      eachPosting(inverted, (term, item) => (frequencies[term]! -= 1 - this.live![item]!));
    return frequencies;
  }

  private removedWith(term: number, postings: number): number {
    const { inverted } = this.segment;
    let count = 0;
    if (postings > SCAN_BELOW * this.removed.length) {
      for (const item of this.removed) if (frequencyIn(inverted, term, item) > 0) count++;
      return count;
    }
    eachPosting(inverted, (_, item) => (count += 1 - this.live![item]!), term, term + 1);
    return count;
  }
}

/** Visits the postings of the terms from one to another, by default of all. */
function eachPosting(
  inverted: Inverted,
  visit: (term: number, item: number) => void,
  first = 0,
  end: number = inverted.terms,
): void {
  const { offsets } = inverted;
  for (let block = 0; block < inverted.blocks; block++) {
    const row = block * (inverted.terms + 1);
    const { base, items } = inverted.postings(offsets[row + first]!, offsets[row + end]!);
    for (let term = first; term < end; term++)
      for (let at = offsets[row + term]!; at < offsets[row + term + 1]!; at++)
        visit(term, (block << BLOCK_BITS) + items[at - base]!);
  }
}
