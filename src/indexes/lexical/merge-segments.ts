/** Merges segments into one, dropping removed items. */
import { type Dictionary, DictionaryBuilder, termBytes } from './dictionary.ts';
import type { FactColumn } from './facts.ts';
import { BLOCK_BITS, BLOCK_SIZE, frequencyAt, type Inverted, OVERFLOW } from './inverted.ts';
import { BOOSTED_FACTS } from './item.ts';
import { PlaceOrder } from './place-order.ts';
import { LexicalSegment } from './segment.ts';

export interface MergeSource {
  readonly segment: LexicalSegment;
  /** The position of each item in the merged segment, ascending; -1 for items left out. */
  readonly places: Int32Array;
}

/**
 * Returns a segment of `size` items that searches like one built from the items. Terms are numbered
 * source by source, so its bytes differ. O(postings + terms · (sources + size / 1,024)).
 */
export function mergeSegments(sources: readonly MergeSource[], size: number): LexicalSegment {
  const { analysis, mode } = sources[0]!.segment;
  const facts = analysis === 's1' ? mergeFacts(sources, size) : [];
  return new LexicalSegment(analysis, mergeInverted(sources, size), facts, mode);
}

/** Postings term by term, each term's ascending by place. */
interface TermPostings {
  /** Offset of each term's postings, and the end. */
  readonly starts: Uint32Array;
  readonly places: Uint32Array;
  readonly frequencies: Uint32Array;
}

function mergeInverted(sources: readonly MergeSource[], size: number): Inverted {
  const { dictionary, held } = mergeDictionaries(sources);
  const postings = mergePostings(sources, held, size);
  const lengths = new Uint32Array(size);
  for (const { segment, places } of sources)
    for (let item = 0; item < places.length; item++)
      if (places[item]! >= 0) lengths[places[item]!] = segment.inverted.lengths[item]!;
  return inBlocks(postings, dictionary, lengths);
}

/** The terms of the sources, by merged term: most are held by one source of many. */
interface HeldTerms {
  /** Offset of each merged term's entries, and the end. */
  readonly starts: Uint32Array;
  readonly sources: Uint32Array;
  /** The number of the term in that source. */
  readonly terms: Uint32Array;
}

function mergeDictionaries(sources: readonly MergeSource[]): {
  readonly dictionary: Dictionary;
  readonly held: HeldTerms;
} {
  const builder = new DictionaryBuilder();
  const numbers = sources.map(({ segment: { inverted }, places }) => {
    const remaining = places.indexOf(-1) < 0 ? undefined : places;
    const merged = new Int32Array(inverted.terms).fill(-1);
    for (let term = 0; term < inverted.terms; term++)
      if (isHeld(inverted, term, remaining))
        merged[term] = builder.add(termBytes(inverted.dictionary, term));
    return merged;
  });
  return { dictionary: builder.finish(), held: byMergedTerm(numbers, builder.size) };
}

/** `numbers`: for each source, the merged number of each of its terms, or -1. */
function byMergedTerm(numbers: readonly Int32Array[], size: number): HeldTerms {
  const starts = new Uint32Array(size + 1);
  for (const merged of numbers)
    for (let term = 0; term < merged.length; term++)
      if (merged[term]! >= 0) starts[merged[term]! + 1]!++;
  for (let term = 0; term < size; term++) starts[term + 1]! += starts[term]!;
  const cursors = starts.slice(0, size);
  const sources = new Uint32Array(starts[size]!);
  const terms = new Uint32Array(starts[size]!);
  for (const [source, merged] of numbers.entries())
    for (let term = 0; term < merged.length; term++) {
      if (merged[term]! < 0) continue;
      const at = cursors[merged[term]!]!++;
      sources[at] = source;
      terms[at] = term;
    }
  return { starts, sources, terms };
}

/** Returns true if a remaining item holds the term. `places` is undefined if all items remain. */
function isHeld(inverted: Inverted, term: number, places: Int32Array | undefined): boolean {
  for (let block = 0; block < inverted.blocks; block++) {
    const row = block * (inverted.terms + 1) + term;
    const end = inverted.offsets[row + 1]!;
    for (let at = inverted.offsets[row]!; at < end; at++)
      if (places === undefined || places[(block << BLOCK_BITS) + inverted.items[at]!]! >= 0)
        return true;
  }
  return false;
}

function mergePostings(
  sources: readonly MergeSource[],
  held: HeldTerms,
  size: number,
): TermPostings {
  const most = sources.reduce((sum, { segment }) => sum + segment.inverted.items.length, 0);
  const terms = held.starts.length - 1;
  const starts = new Uint32Array(terms + 1);
  const places = new Uint32Array(most);
  const frequencies = new Uint32Array(most);
  const order = new PlaceOrder(size);
  let to = 0;
  for (let term = 0; term < terms; term++) {
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
  return { starts, places, frequencies };
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
function inBlocks(
  { starts, places, frequencies }: TermPostings,
  dictionary: Dictionary,
  lengths: Uint32Array,
): Inverted {
  const [size, terms] = [lengths.length, starts.length - 1];
  const blocks = Math.max(1, Math.ceil(size / BLOCK_SIZE));
  const offsets = blockOffsets(starts, places, blocks);
  const cursors = offsets.slice();
  const items = new Uint16Array(starts[terms]!);
  const stored = new Uint8Array(starts[terms]!);
  const overflow: [number, number][] = [];
  for (let term = 0; term < terms; term++)
    for (let at = starts[term]!, end = starts[term + 1]!; at < end; at++) {
      const place = places[at]!;
      const frequency = frequencies[at]!;
      const to = cursors[(place >>> BLOCK_BITS) * (terms + 1) + term]!++;
      items[to] = place;
      stored[to] = Math.min(frequency, OVERFLOW);
      if (frequency >= OVERFLOW) overflow.push([to, frequency]);
    }
  overflow.sort((a, b) => a[0] - b[0]);
  return {
    size,
    terms,
    blocks,
    dictionary,
    offsets,
    items,
    frequencies: stored,
    overflowAt: Uint32Array.from(overflow, ([at]) => at),
    overflowFrequency: Uint32Array.from(overflow, ([, frequency]) => frequency),
    lengths,
  };
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
