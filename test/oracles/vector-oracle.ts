/**
 * Vector search as its definition reads, slow and obvious: exact whole-number arithmetic, every
 * row, a full sort. The judge of src/indexes/vector.
 */
import type { ScoredItem } from '../../src/indexes/vector/vector-index.ts';

/** The smallest f32 above 0 is 2^-149, so every f32 is a whole number of them. */
const GRAIN = 149;
const whole = (value: number): bigint => BigInt(value * 2 ** GRAIN);

/** The inner product of two vectors of f32, rounded once, to the nearest float64. */
export function innerProduct(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0n;
  for (let i = 0; i < a.length; i++) sum += whole(a[i]!) * whole(b[i]!);
  return Number(sum) / 2 ** (2 * GRAIN);
}

/** What the size of rounding errors of an inner product is measured by. */
export function sumOfSizes(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! * b[i]!);
  return sum;
}

export function ranked(
  rows: readonly Float32Array[],
  query: Float32Array,
  k: number,
  allowed?: Uint8Array,
): ScoredItem[] {
  return rows
    .map((row, item) => ({ item, score: innerProduct(row, query) }))
    .filter(({ item }) => allowed === undefined || allowed[item] === 1)
    .sort((a, b) => b.score - a.score || a.item - b.item)
    .slice(0, k);
}
