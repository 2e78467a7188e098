/** Sums of scores, one an item, all zero between searches. Shared: a search is synchronous. */
let sums = new Float64Array(1 << 10);

/** Returns room for the sums of so many items; whoever takes it leaves it zero. */
export function scoreSums(size: number): Float64Array {
  if (sums.length < size) sums = new Float64Array(size);
  return sums;
}
