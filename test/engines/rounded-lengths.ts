/** A mode of the embedded engine for tests: it keeps lengths in one byte, as Lucene does. */
import type { Snapshot } from '../../src/search/snapshot.ts';

/** Lengths below are kept as they are: of 256 codes, the first 24 lie below the rounded ones. */
const EXACT = 24;

/** Returns the length that Lucene 9 keeps: `byte4ToInt(intToByte4(length))` of `SmallFloat`. */
export function roundedLength(length: number): number {
  if (length < EXACT) return length;
  const above = length - EXACT;
  const bits = 32 - Math.clz32(above);
  // Four significant bits, of which the first is always 1.
  const dropped = Math.max(0, bits - 4);
  return EXACT + ((above >>> dropped) << dropped);
}

/** Rounds the lengths of all items, in place, before the first search. Averages stay exact. */
export function roundLengths(snapshot: Snapshot): void {
  for (const unit of snapshot.capabilities.units)
    for (const segment of snapshot.corpus.segments) {
      const { lengths } = segment.lexical(unit, 'plain').segment.inverted;
      for (const [item, length] of lengths.entries()) lengths[item] = roundedLength(length);
    }
}
