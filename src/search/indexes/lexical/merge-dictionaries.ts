/** Merges the dictionaries of segments. */
import { STEP, type Steps } from '../../../core/steps.ts';
import { type Dictionary, DictionaryBuilder, termBytes } from './dictionary.ts';
import { allPostings, BLOCK_BITS, type Inverted } from './inverted.ts';
import type { LexicalSegment } from './segment.ts';

export interface MergeSource {
  readonly segment: LexicalSegment;
  /** The position of each item in the merged segment, ascending; -1 for items left out. */
  readonly places: Int32Array;
}

export interface MergedTerms {
  readonly dictionary: Dictionary;
  /** For each source, the merged number of each of its terms; -1 if no remaining item holds it. */
  readonly numbers: readonly Int32Array[];
}

/** Numbers the terms that remaining items hold, source by source. */
export function* mergeDictionaries(sources: readonly MergeSource[]): Steps<MergedTerms> {
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
  return { dictionary: builder.finish(), numbers };
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
  const { items } = allPostings(inverted);
  for (let block = 0; block < inverted.blocks; block++) {
    const row = block * (inverted.terms + 1) + term;
    const end = inverted.offsets[row + 1]!;
    for (let at = inverted.offsets[row]!; at < end; at++)
      if (places === undefined || places[(block << BLOCK_BITS) + items[at]!]! >= 0) return true;
  }
  return false;
}
