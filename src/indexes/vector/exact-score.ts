/**
 * The score of every search: the inner product in float64, by one order of additions, so that every
 * path returns the same bits.
 */

/**
 * Four float64 partial sums, the dimensions modulo 4, each added in ascending order, and then (s0 +
 * s1) + (s2 + s3). The product of two f32 is exact in float64, so the error is at most about
 * `stride` / 4 times 2^-53 of the sum of the products' sizes. Scans in f32 or i8 only choose the
 * rows that are scored: they may add in any order and round as they like. `exact` of kernel.wat is
 * the same.
 */
export function exactScore(query: Float32Array, values: Float32Array, row: number): number {
  const stride = query.length;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = 0, at = row * stride; i < stride; i += 4, at += 4) {
    a += query[i]! * values[at]!;
    b += query[i + 1]! * values[at + 1]!;
    c += query[i + 2]! * values[at + 2]!;
    d += query[i + 3]! * values[at + 3]!;
  }
  return a + b + (c + d);
}
