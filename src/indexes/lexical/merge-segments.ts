/** Merges segments into one, dropping removed items. */
import { finish, STEP, type Steps } from '../steps.ts';
import type { Dictionary } from './dictionary.ts';
import type { FactColumn } from './facts.ts';
import { BLOCK_BITS, BLOCK_SIZE, frequencyAt, type Inverted, OVERFLOW } from './inverted.ts';
import { BOOSTED_FACTS } from './item.ts';
import { type HeldTerms, mergeDictionaries } from './merge-dictionaries.ts';
import { PlaceOrder } from './place-order.ts';
import { LexicalSegment } from './segment.ts';

export interface MergeSource {
  readonly segment: LexicalSegment;
  /** The position of each item in the merged segment, ascending; -1 for items left out. */
  readonly places: Int32Array;
}

/**
 * Returns a segment of `size` items that searches like one built from the items. Terms are numbered
 * source by source, so its bytes differ. O(postings + terms · size / 1,024).
 */
export function mergeSegments(sources: readonly MergeSource[], size: number): LexicalSegment {
  return finish(mergeSegmentsInSteps(sources, size));
}

/** Merges like `mergeSegments`. */
export function* mergeSegmentsInSteps(
  sources: readonly MergeSource[],
  size: number,
): Steps<LexicalSegment> {
  const { analysis, mode } = sources[0]!.segment;
  const facts = analysis === 's1' ? mergeFacts(sources, size) : [];
  yield facts.length * size;
  return new LexicalSegment(analysis, yield* mergeInverted(sources, size), facts, mode);
}

/** Postings term by term, each term's ascending by place. */
interface TermPostings {
  /** Offset of each term's postings, and the end. */
  readonly starts: Uint32Array;
  readonly places: Uint32Array;
  readonly frequencies: Uint32Array;
}

function* mergeInverted(sources: readonly MergeSource[], size: number): Steps<Inverted> {
  const { dictionary, held } = yield* mergeDictionaries(sources);
  const postings = yield* mergePostings(sources, held, size);
  const lengths = new Uint32Array(size);
  for (const { segment, places } of sources)
    for (let item = 0; item < places.length; item++)
      if (places[item]! >= 0) lengths[places[item]!] = segment.inverted.lengths[item]!;
  yield size;
  return yield* inBlocks(postings, dictionary, lengths);
}

function* mergePostings(
  sources: readonly MergeSource[],
  held: HeldTerms,
  size: number,
): Steps<TermPostings> {
  const most = sources.reduce((sum, { segment }) => sum + segment.inverted.items.length, 0);
  const terms = held.starts.length - 1;
  const postings = {
    starts: new Uint32Array(terms + 1),
    places: new Uint32Array(most),
    frequencies: new Uint32Array(most),
  };
  const order = new PlaceOrder(size);
  for (let term = 0; term < terms; ) {
    const from = term;
    term = mergeTerms(sources, held, postings, order, from);
    yield term - from + postings.starts[term]! - postings.starts[from]!;
  }
  return postings;
}

/** Writes the postings of the next terms; returns the number of the term after them. */
function mergeTerms(
  sources: readonly MergeSource[],
  held: HeldTerms,
  { starts, places, frequencies }: TermPostings,
  order: PlaceOrder,
  first: number,
): number {
  const terms = starts.length - 1;
  const until = starts[first]! + STEP;
  let to = starts[first]!;
  let term = first;
  for (; term < terms && term < first + STEP && to < until; term++) {
    const from = to;
    let ascending = true;
    for (let entry = held.starts[term]!; entry < held.starts[term + 1]!; entry++) {
      const middle = to;
      const source = sources[held.sources[entry]!]!;
      to = appendPostings(source, held.terms[entry]!, places, frequencies, middle);
      if (middle > from && places[middle - 1]! > places[middle]!) ascending = false;
    }
    if (!ascending) order.sort(places, frequencies, from, to);
    starts[term + 1] = to;
  }
  return term;
}

/** Writes the postings of a source's term from `to` on; returns their end. */
function appendPostings(
  { segment: { inverted }, places: placeOf }: MergeSource,
  term: number,
  places: Uint32Array,
  frequencies: Uint32Array,
  to: number,
): number {
  const { offsets, items, frequencies: stored } = inverted;
  let end = to;
  for (let block = 0; block < inverted.blocks; block++) {
    const row = block * (inverted.terms + 1) + term;
    const base = block << BLOCK_BITS;
    for (let at = offsets[row]!, last = offsets[row + 1]!; at < last; at++) {
      const place = placeOf[base + items[at]!]!;
      if (place < 0) continue;
      places[end] = place;
      const frequency = stored[at]!;
      frequencies[end++] = frequency < OVERFLOW ? frequency : frequencyAt(inverted, at);
    }
  }
  return end;
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
  const offsets = blockOffsets(starts, postings.places, blocks);
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
    items,
    frequencies,
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
function layTerms(
  { starts, places, frequencies }: TermPostings,
  layout: Layout,
  first: number,
): number {
  const { terms, cursors, items, overflow } = layout;
  const until = starts[first]! + STEP;
  let term = first;
  for (; term < terms && term < first + STEP && starts[term]! < until; term++)
    for (let at = starts[term]!, end = starts[term + 1]!; at < end; at++) {
      const place = places[at]!;
      const frequency = frequencies[at]!;
      const to = cursors[(place >>> BLOCK_BITS) * (terms + 1) + term]!++;
      items[to] = place;
      layout.frequencies[to] = Math.min(frequency, OVERFLOW);
      if (frequency >= OVERFLOW) overflow.push([to, frequency]);
    }
  return term;
}

function blockOffsets(starts: Uint32Array, places: Uint32Array, blocks: number): Uint32Array {
  const terms = starts.length - 1;
  if (blocks === 1) return starts;
  const offsets = new Uint32Array(blocks * (terms + 1));
  for (let term = 0; term < terms; term++)
    for (let at = starts[term]!; at < starts[term + 1]!; at++)
      offsets[(places[at]! >>> BLOCK_BITS) * (terms + 1) + term + 1]!++;
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
      const own = segment.facts[column]!;
      for (let item = 0; item < places.length; item++) {
        const value = own.codes[item] === 0 ? '' : own.values[own.codes[item]! - 1]!;
        if (places[item]! < 0) continue;
        let code = numbers.get(value);
        if (code === undefined) numbers.set(value, (code = numbers.size));
        codes[places[item]!] = code;
      }
    }
    return { fact, values: [...numbers.keys()].slice(1), codes };
  });
}
