/** Merges segments into one, without the items that were removed. */
import { sortByTerm } from './build.ts';
import { DictionaryBuilder, termBytes } from './dictionary.ts';
import type { FactColumn } from './facts.ts';
import type { Forward } from './forward.ts';
import { BLOCK_BITS, frequencyAt } from './inverted.ts';
import { BOOSTED_FACTS } from './item.ts';
import { LexicalSegment } from './segment.ts';

export interface MergeSource {
  readonly segment: LexicalSegment;
  /** The position of each item in the merged segment, ascending; -1 for items left out. */
  readonly places: Int32Array;
}

/**
 * Returns a segment of `size` items that searches as if it had been built from them. Terms are
 * numbered source by source, so its bytes differ. O(postings + terms).
 */
export function mergeSegments(sources: readonly MergeSource[], size: number): LexicalSegment {
  const { analysis, mode } = sources[0]!.segment;
  const forward = gather(sources, size);
  const facts = analysis === 's1' ? mergeFacts(sources, size) : [];
  return new LexicalSegment(analysis, sortByTerm(forward, new Set()), facts, mode);
}

function gather(sources: readonly MergeSource[], size: number): Forward {
  const lengths = new Uint32Array(size);
  const starts = new Uint32Array(size + 1);
  for (const { segment, places } of sources) {
    const { inverted } = segment;
    for (let item = 0; item < places.length; item++)
      if (places[item]! >= 0) lengths[places[item]!] = inverted.lengths[item]!;
    eachTerm(segment, (_term, from, to, base) => {
      for (let at = from; at < to; at++) {
        const place = places[base + inverted.items[at]!]!;
        if (place >= 0) starts[place + 1]!++;
      }
    });
  }
  for (let item = 0; item < size; item++) starts[item + 1]! += starts[item]!;
  const postings = new Uint32Array(2 * starts[size]!);
  const cursors = starts.slice(0, size);
  const dictionary = new DictionaryBuilder();
  for (const source of sources) addPostings(source, dictionary, postings, cursors);
  return { dictionary: dictionary.finish(), postings, starts, lengths };
}

/** Writes term and frequency of each posting behind those that its item has already. */
function addPostings(
  { segment, places }: MergeSource,
  dictionary: DictionaryBuilder,
  postings: Uint32Array,
  cursors: Uint32Array,
): void {
  const { inverted } = segment;
  const numbers = new Int32Array(inverted.terms).fill(-1);
  eachTerm(segment, (term, from, to, base) => {
    for (let at = from; at < to; at++) {
      const place = places[base + inverted.items[at]!]!;
      if (place < 0) continue;
      let number = numbers[term]!;
      if (number < 0) numbers[term] = number = dictionary.add(termBytes(inverted.dictionary, term));
      const cursor = 2 * cursors[place]!++;
      postings[cursor] = number;
      postings[cursor + 1] = frequencyAt(inverted, at);
    }
  });
}

function eachTerm(
  { inverted }: LexicalSegment,
  visit: (term: number, from: number, to: number, base: number) => void,
): void {
  const { blocks, terms, offsets } = inverted;
  for (let block = 0; block < blocks; block++) {
    const row = block * (terms + 1);
    for (let term = 0; term < terms; term++)
      visit(term, offsets[row + term]!, offsets[row + term + 1]!, block << BLOCK_BITS);
  }
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
