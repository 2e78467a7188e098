/**
 * Implements vector search by its definition, slowly: exact integer arithmetic, every row, a full
 * sort. The reference for src/search/indexes/vector.
 */
import type { ScoredItem } from '../../src/search/indexes/vector/vector-index.ts';

/** Every f32 is an integer multiple of 2^-149, the smallest positive one. */
const GRAIN = 149;
const whole = (value: number): bigint => BigInt(value * 2 ** GRAIN);

/** Returns the inner product of two f32 vectors, rounded once to the nearest float64. */
export function innerProduct(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0n;
  for (let i = 0; i < a.length; i++) sum += whole(a[i]!) * whole(b[i]!);
  return Number(sum) / 2 ** (2 * GRAIN);
}

/** Returns the sum of absolute products, relative to which rounding errors are measured. */
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
