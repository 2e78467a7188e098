/**
 * Computes the score of every search: the inner product in float64, in one order of additions, so
 * that every path returns the same bits.
 */

/**
 * Returns the inner product of a padded query and a row.
 *
 * Adds four float64 partial sums, the dimensions modulo 4, each in ascending order, and then (s0 +
 * s1) + (s2 + s3). The product of two f32 is exact in float64, so the error is at most about
 * `stride` / 4 times 2^-53 of the sum of the products' sizes. Scans in f32 or of codes only choose
 * the rows to score, so they may add in any order. `exact` of kernel.wat computes the same.
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
