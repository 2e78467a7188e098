/** Finds the items of a segment that hold every term of some texts. */
import { queryForm } from '../../../core/text/search-form.ts';
import { findTerm } from './dictionary.ts';
import { BLOCK_BITS } from './inverted.ts';
import type { Analysis } from './item.ts';
import type { LexicalSegment } from './segment.ts';
import type { SegmentView } from './segment-view.ts';
import { TermReader } from './term-reader.ts';

/** Returns 1 for each of the allowed items, by default the live ones, that holds all terms. */
export function heldItems(
  view: SegmentView<LexicalSegment>,
  analysis: Analysis,
  texts: readonly string[],
  allowed: Uint8Array | undefined,
): Uint8Array {
  const { inverted } = view.segment;
  const { offsets, terms, blocks } = inverted;
  const numbers = new Set<number>();
  const reader = new TermReader(analysis);
  reader.open(texts.map(queryForm).join(' '));
  while (reader.next()) numbers.add(findTerm(inverted.dictionary, reader));
  const held = new Uint8Array(inverted.size);
  if (numbers.has(-1)) return held;
  const within = allowed ?? view.live;
  // A count fits a byte: 255 terms of a phrase are enough.
  const counts = new Uint8Array(inverted.size);
  const asked = [...numbers].slice(0, 255);
  for (const term of asked)
    for (let block = 0; block < blocks; block++) {
      const row = block * (terms + 1) + term;
      const [from, to] = [offsets[row]!, offsets[row + 1]!];
      const { base, items } = inverted.postings(from, to);
      for (let at = from - base; at < to - base; at++)
        counts[(block << BLOCK_BITS) + items[at]!]!++;
    }
  for (let item = 0; item < held.length; item++)
    if (counts[item] === asked.length && (within === undefined || within[item] === 1))
      held[item] = 1;
  return held;
}
