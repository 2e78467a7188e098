/**
 * Sums of scores, one per item, all zero between searches. Shared, which is safe because a search
 * is synchronous.
 */
let sums = new Float64Array(1 << 10);

/** Returns zeroed sums for so many items. The caller must zero them again. */
export function scoreSums(size: number): Float64Array {
  if (sums.length < size) sums = new Float64Array(size);
  return sums;
}
