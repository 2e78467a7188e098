/** Merges the dictionaries of segments. */
import { STEP, type Steps } from '../steps.ts';
import { type Dictionary, DictionaryBuilder, termBytes } from './dictionary.ts';
import { BLOCK_BITS, type Inverted } from './inverted.ts';
import type { MergeSource } from './merge-segments.ts';

/** The terms of the sources, by merged term: most are held by one source of many. */
export interface HeldTerms {
  /** Offset of each merged term's entries, and the end. */
  readonly starts: Uint32Array;
  readonly sources: Uint32Array;
  /** The number of the term in that source. */
  readonly terms: Uint32Array;
}

/** Numbers the terms that remaining items hold, source by source. */
export function* mergeDictionaries(
  sources: readonly MergeSource[],
): Steps<{ readonly dictionary: Dictionary; readonly held: HeldTerms }> {
  const largest = sources.reduce((most, { segment }) => Math.max(most, segment.inverted.terms), 0);
  const builder = new DictionaryBuilder(2 * largest);
  const numbers: Int32Array[] = [];
  for (const { segment, places } of sources) {
    const { inverted } = segment;
    const remaining = places.indexOf(-1) < 0 ? undefined : places;
    const merged = new Int32Array(inverted.terms).fill(-1);
    for (let from = 0; from < inverted.terms; from += STEP / 4) {
      addTerms(inverted, from, remaining, builder, merged);
      yield STEP;
    }
    numbers.push(merged);
  }
  const held = yield* byMergedTerm(numbers, builder.size);
  return { dictionary: builder.finish(), held };
}

/** Adds the next terms of a source, and writes their merged numbers. */
function addTerms(
  inverted: Inverted,
  from: number,
  remaining: Int32Array | undefined,
  builder: DictionaryBuilder,
  merged: Int32Array,
): void {
  for (let term = from, end = Math.min(inverted.terms, from + STEP / 4); term < end; term++)
    if (isHeld(inverted, term, remaining))
      merged[term] = builder.add(termBytes(inverted.dictionary, term));
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

/** `numbers`: for each source, the merged number of each of its terms, or -1. */
function* byMergedTerm(numbers: readonly Int32Array[], size: number): Steps<HeldTerms> {
  const starts = new Uint32Array(size + 1);
  for (const merged of numbers) {
    for (let term = 0; term < merged.length; term++)
      if (merged[term]! >= 0) starts[merged[term]! + 1]!++;
    yield merged.length;
  }
  for (let term = 0; term < size; term++) starts[term + 1]! += starts[term]!;
  const cursors = starts.slice(0, size);
  const sources = new Uint32Array(starts[size]!);
  const terms = new Uint32Array(starts[size]!);
  for (const [source, merged] of numbers.entries()) {
    for (let term = 0; term < merged.length; term++) {
      if (merged[term]! < 0) continue;
      const at = cursors[merged[term]!]!++;
      sources[at] = source;
      terms[at] = term;
    }
    yield merged.length;
  }
  return { starts, sources, terms };
}
