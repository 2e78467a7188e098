/**
 * Sums of scores, one per item. The array of one search serves the next, which is safe because a
 * search is synchronous.
 */
let sums: Float64Array | undefined;

/**
 * Returns zeroed sums for so many items. The caller zeroes them again and gives them back; a search
 * that throws does not, so that no later search reads what it added.
 */
export function takeSums(size: number): Float64Array {
  const taken = sums && sums.length >= size ? sums : new Float64Array(size);
  sums = undefined;
  return taken;
}

export function giveSums(zeroed: Float64Array): void {
  sums = zeroed;
}
