/** Merges segments into one, dropping removed items. */
import { finish, STEP, type Steps } from '../../../core/steps.ts';
import type { Dictionary } from './dictionary.ts';
import type { FactColumn } from './facts.ts';
import {
  allPostings,
  BLOCK_BITS,
  BLOCK_SIZE,
  frequencyAt,
  heldPostings,
  type Inverted,
  OVERFLOW,
} from './inverted.ts';
import { BOOSTED_FACTS } from './item.ts';
import { type MergeSource, mergeDictionaries } from './merge-dictionaries.ts';
import { PlaceOrder } from './place-order.ts';
import { LexicalSegment } from './segment.ts';

/**
 * Returns a segment of `size` items that searches like one built from the items. Terms are numbered
 * source by source, so its bytes differ. O(postings + terms · size / 1,024).
 */
export function mergeSegments(sources: readonly MergeSource[], size: number): LexicalSegment {
  return finish(mergeSegmentsInSteps(sources, size));
}

/** Merges like `mergeSegments`. */
export function* mergeSegmentsInSteps(
  given: readonly MergeSource[],
  size: number,
): Steps<LexicalSegment> {
  // A merge reads all postings several times.
  const sources = given.map(({ segment, places }) => ({ segment: segment.held(), places }));
  const { analysis, mode } = sources[0]!.segment;
  const facts = analysis === 's1' ? mergeFacts(sources, size) : [];
  yield facts.length * size;
  return new LexicalSegment(analysis, yield* mergeInverted(sources, size), facts, mode);
}

/** Postings term by term, each term's ascending by place. */
interface TermPostings {
  /** Offset of each term's postings, and the end. */
  readonly starts: Uint32Array;
  /** Place and frequency of each posting. */
  readonly pairs: Uint32Array;
}

function* mergeInverted(sources: readonly MergeSource[], size: number): Steps<Inverted> {
  const { dictionary, numbers } = yield* mergeDictionaries(sources);
  const postings = yield* mergePostings(sources, numbers, dictionary.ends.length, size);
  const lengths = new Uint32Array(size);
  for (const { segment, places } of sources)
    for (let item = 0; item < places.length; item++)
      if (places[item]! >= 0) lengths[places[item]!] = segment.inverted.lengths[item]!;
  yield size;
  return yield* inBlocks(postings, dictionary, lengths);
}

/**
 * Reads the postings of each source in their order and writes them to their terms: a read that
 * misses the processor's cache waits, a write does not. Then sorts those of each term.
 */
function* mergePostings(
  sources: readonly MergeSource[],
  numbers: readonly Int32Array[],
  terms: number,
  size: number,
): Steps<TermPostings> {
  const starts = new Uint32Array(terms + 1);
  for (const [at, source] of sources.entries()) {
    countPostings(source, numbers[at]!, starts);
    yield numbers[at]!.length;
  }
  for (let term = 0; term < terms; term++) starts[term + 1]! += starts[term]!;
  const pairs = new Uint32Array(2 * starts[terms]!);
  const ends = starts.slice(0, terms);
  for (const [at, source] of sources.entries()) {
    const { blocks } = source.segment.inverted;
    for (let block = 0; block < blocks; block++)
      for (let term = 0; term < numbers[at]!.length; ) {
        const [next, work] = writePostings(source, numbers[at]!, { pairs, ends }, block, term);
        term = next;
        yield work;
      }
  }
  const order = new PlaceOrder(size);
  for (let term = 0; term < terms; ) {
    const from = term;
    for (; term < terms && term < from + STEP && starts[term]! < starts[from]! + STEP; term++)
      order.sort(pairs, starts[term]!, starts[term + 1]!);
    yield term - from + starts[term]! - starts[from]!;
  }
  return { starts, pairs };
}

/** Adds the number of postings that remain of each term to `starts`, one place later. */
function countPostings(
  { segment: { inverted }, places }: MergeSource,
  numbers: Int32Array,
  starts: Uint32Array,
): void {
  const all = places.indexOf(-1) < 0;
  const { items } = allPostings(inverted);
  for (let block = 0; block < inverted.blocks; block++) {
    const row = block * (inverted.terms + 1);
    const base = block << BLOCK_BITS;
    for (let term = 0; term < inverted.terms; term++) {
      const [from, to] = [inverted.offsets[row + term]!, inverted.offsets[row + term + 1]!];
      if (numbers[term]! < 0) continue;
      let remaining = to - from;
      if (!all) for (let at = from; at < to; at++) if (places[base + items[at]!]! < 0) remaining--;
      starts[numbers[term]! + 1]! += remaining;
    }
  }
}

/** Writes postings of a block from a term on; returns the next term and the work done. */
function writePostings(
  { segment: { inverted }, places }: MergeSource,
  numbers: Int32Array,
  { pairs, ends }: { readonly pairs: Uint32Array; readonly ends: Uint32Array },
  block: number,
  first: number,
): [number, number] {
  const { items, frequencies } = allPostings(inverted);
  const { offsets, terms } = inverted;
  const row = block * (terms + 1);
  const base = block << BLOCK_BITS;
  const start = offsets[row + first]!;
  let term = first;
  for (; term < terms && term < first + STEP && offsets[row + term]! < start + STEP; term++) {
    const number = numbers[term]!;
    if (number < 0) continue;
    let end = ends[number]!;
    for (let at = offsets[row + term]!, last = offsets[row + term + 1]!; at < last; at++) {
      const place = places[base + items[at]!]!;
      if (place < 0) continue;
      pairs[2 * end] = place;
      pairs[2 * end++ + 1] = frequencyAt(inverted, at, frequencies[at]!);
    }
    ends[number] = end;
  }
  return [term, term - first + offsets[row + term]! - start];
}

/** Lays postings out block by block. */
function* inBlocks(
  postings: TermPostings,
  dictionary: Dictionary,
  lengths: Uint32Array,
): Steps<Inverted> {
  const { starts } = postings;
  const [size, terms] = [lengths.length, starts.length - 1];
  const blocks = Math.max(1, Math.ceil(size / BLOCK_SIZE));
  const offsets = blockOffsets(postings, blocks);
  yield blocks === 1 ? 0 : starts[terms]!;
  const layout: Layout = {
    terms,
    cursors: offsets.slice(),
    items: new Uint16Array(starts[terms]!),
    frequencies: new Uint8Array(starts[terms]!),
    overflow: [],
  };
  for (let term = 0; term < terms; ) {
    const from = term;
    term = layTerms(postings, layout, from);
    yield term - from + starts[term]! - starts[from]!;
  }
  const { items, frequencies, overflow } = layout;
  overflow.sort((a, b) => a[0] - b[0]);
  return {
    size,
    terms,
    blocks,
    dictionary,
    offsets,
    postings: heldPostings(items, frequencies),
    overflowAt: Uint32Array.from(overflow, ([at]) => at),
    overflowFrequency: Uint32Array.from(overflow, ([, frequency]) => frequency),
    lengths,
  };
}

/** Postings block by block, as far as they are written. */
interface Layout {
  readonly terms: number;
  readonly cursors: Uint32Array;
  readonly items: Uint16Array;
  readonly frequencies: Uint8Array;
  /** Positions and frequencies of 255 or more. */
  readonly overflow: [number, number][];
}

/** Lays out the postings of the next terms; returns the number of the term after them. */
function layTerms({ starts, pairs }: TermPostings, layout: Layout, first: number): number {
  const { terms, cursors, items, overflow } = layout;
  const until = starts[first]! + STEP;
  let term = first;
  for (; term < terms && term < first + STEP && starts[term]! < until; term++)
    for (let at = starts[term]!, end = starts[term + 1]!; at < end; at++) {
      const place = pairs[2 * at]!;
      const frequency = pairs[2 * at + 1]!;
      const to = cursors[(place >>> BLOCK_BITS) * (terms + 1) + term]!++;
      items[to] = place;
      layout.frequencies[to] = Math.min(frequency, OVERFLOW);
      if (frequency >= OVERFLOW) overflow.push([to, frequency]);
    }
  return term;
}

function blockOffsets({ starts, pairs }: TermPostings, blocks: number): Uint32Array {
  const terms = starts.length - 1;
  if (blocks === 1) return starts;
  const offsets = new Uint32Array(blocks * (terms + 1));
  for (let term = 0; term < terms; term++)
    for (let at = starts[term]!; at < starts[term + 1]!; at++)
      offsets[(pairs[2 * at]! >>> BLOCK_BITS) * (terms + 1) + term + 1]!++;
  let total = 0;
  for (let block = 0; block < blocks; block++) {
    const row = block * (terms + 1);
    offsets[row] = total;
    for (let term = 0; term < terms; term++)
      offsets[row + term + 1] = total += offsets[row + term + 1]!;
  }
  return offsets;
}

function mergeFacts(sources: readonly MergeSource[], size: number): FactColumn[] {
  return BOOSTED_FACTS.map((fact, column) => {
    const numbers = new Map<string, number>([['', 0]]);
    const codes = new Uint32Array(size);
    for (const { segment, places } of sources) {
      const facts = segment.facts[column]!;
      for (let item = 0; item < places.length; item++) {
        const value = facts.codes[item] === 0 ? '' : facts.values[facts.codes[item]! - 1]!;
        if (places[item]! < 0) continue;
        let code = numbers.get(value);
        if (code === undefined) numbers.set(value, (code = numbers.size));
        codes[places[item]!] = code;
      }
    }
    return { fact, values: [...numbers.keys()].slice(1), codes };
  });
}
