/**
 * Bounds the distance of the score of a row from the product of the kernel: offset + `product` *
 * unit, give or take errors[row] * slope + constant. The float64 margin covers the arithmetic of
 * these bounds and of the exact score, up to 65,536 dimensions.
 */
import { quantiseQuery } from './quantise.ts';

export interface Bounds {
  /** Added to every score. */
  readonly offset: number;
  readonly unit: number;
  readonly slope: number;
  readonly constant: number;
  /**
   * Subtracted from a threshold before it is compared in f32: more than the roundings of slope, cut
   * and `reach1` can add (about 7 * 2^-24).
   */
  readonly margin: number;
}

const FLOAT64_MARGIN = 1e-11;
const F32_MARGIN: number = 2 ** -20;

/**
 * Writes the query in the kernel's format and returns its bounds. `norm` is an upper bound of the
 * query's length, `reach` the length of the longest row or of its codes.
 *
 * A sum of products rounded m times on any path differs from the true sum by at most g |q| |r|, g
 * = m u / (1 - m u), u = 2^-24 (N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed.,
 * 3.1, with Cauchy-Schwarz). Here m = stride / 8 + 4 (kernel.wat). A product that underflows errs
 * by at most 2^-150 more. A row's error is its length.
 */
export function floatBounds(
  query: Float32Array,
  norm: number,
  reach: number,
  into: Float32Array,
): Bounds {
  into.set(query);
  const roundings = (query.length / 8 + 4) * 2 ** -24;
  const slope = norm * (roundings / (1 - roundings) + FLOAT64_MARGIN);
  return {
    offset: 0,
    unit: 1,
    slope,
    constant: query.length * 2 ** -149,
    margin: F32_MARGIN * norm * reach + 2 ** -148,
  };
}

/**
 * Returns the bounds of codes. Row r = s c + e and query q = t p + f with whole c and p, so q.r = s
 * t (p.c) + q.e + s f.c: the kernel's whole sum is exact, and the rest is at most |q| |e| + |f| |s
 * c|. The lengths |e|, a row's error, and |f| are measured. The kernel rounds the sum and its
 * product with s.
 */
export function codeBounds(
  query: Float32Array,
  norm: number,
  reach: number,
  into: Int16Array,
): Bounds {
  const { unit, residual } = quantiseQuery(query, into);
  const most = (norm + residual) * reach;
  return {
    offset: 0,
    unit,
    slope: norm,
    constant: residual * reach + (2 ** -22 + FLOAT64_MARGIN) * most + unit * 2 ** -149,
    margin: F32_MARGIN * most,
  };
}
