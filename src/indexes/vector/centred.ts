/**
 * Rows as 7-bit codes of what sets them apart from their mean, and queries as bytes of what sets
 * them apart from the mean's direction: what all vectors of an embedder share takes no bits, so
 * that short codes say as much as longer ones of the whole.
 *
 * Row r = m + r', query q = k u + q', with the mean m, a vector u in its direction and k = q.u: q.r
 * = q.m + k u.r' + q'.r'. Each row has its share u.r', and r' = s c + e and q' = t p + f with whole
 * c and p, so q'.r' = s t (p.c) + q'.e + s f.c as in bounds.ts.
 */
import type { Bounds } from './bounds.ts';
import { DIMENSION_STEP, ROWS_TOGETHER } from './kernel.ts';
import { codesAt } from './quantise.ts';
import { type Rows, roundedUp } from './rows.ts';

/** What the rows have in common. Vectors are as long as a row with its padding. */
export interface Direction {
  readonly mean: Float32Array;
  /** Of the mean, and no longer than 1 but for rounding. */
  readonly direction: Float32Array;
  /** At least the length of the mean and that of the longest row without it, or of its codes. */
  readonly reach: number;
}

export interface Centre extends Direction {
  /** Of each row at least the length of what its codes leave over. */
  readonly residuals: Float32Array;
}

/** Where the parts of the rows go, in the memory of a kernel. */
export interface CentredPlaces {
  /** A code and 64, placed by `codesAt`. */
  readonly codes: Int8Array;
  readonly scales: Float32Array;
  readonly shares: Float32Array;
}

const LARGEST_CODE = 63;
const SHIFT = 64;
const LARGEST_PART = 127;

export function centreRows(rows: Rows, { codes, scales, shares }: CentredPlaces): Centre {
  const { size, stride, values } = rows;
  const { mean, direction, length } = meanOf(rows);
  const residuals = new Float32Array(size);
  const own = new Float64Array(stride);
  let reach = 0;
  for (let row = 0; row < size; row++) {
    const at = row * stride;
    let [largest, squares, share] = [0, 0, 0];
    for (let i = 0; i < stride; i++) {
      const value = values[at + i]! - mean[i]!;
      own[i] = value;
      squares += value * value;
      share += value * direction[i]!;
      largest = Math.max(largest, Math.abs(value));
    }
    scales[row] = largest / LARGEST_CODE;
    shares[row] = share;
    const left = writeCodes(own, scales[row]!, codes, codesAt(row, stride));
    residuals[row] = roundedUp(left);
    reach = Math.max(reach, Math.sqrt(squares) * (1 + 1e-10) + residuals[row]!);
  }
  return { mean, direction, residuals, reach: reach + length };
}

/** Returns at least the length of what the codes leave over. */
function writeCodes(own: Float64Array, scale: number, codes: Int8Array, first: number): number {
  const inverse = scale === 0 ? 0 : 1 / scale;
  let squares = 0;
  for (let i = 0, to = first; i < own.length; i++) {
    // Rounds half up by truncation of a positive number, as quantiseRows does.
    const code = Math.min(
      LARGEST_CODE,
      Math.max(-LARGEST_CODE, ((own[i]! * inverse + 1024.5) | 0) - 1024),
    );
    codes[to + (i & (DIMENSION_STEP - 1))] = code + SHIFT;
    if ((i & (DIMENSION_STEP - 1)) === DIMENSION_STEP - 1) to += ROWS_TOGETHER * DIMENSION_STEP;
    const left = own[i]! - code * scale;
    squares += left * left;
  }
  return Math.sqrt(squares) * (1 + 1e-10);
}

function meanOf({ size, stride, values }: Rows): {
  mean: Float32Array;
  direction: Float32Array;
  length: number;
} {
  const sums = new Float64Array(stride);
  for (let row = 0; row < size; row++)
    for (let i = 0; i < stride; i++) sums[i]! += values[row * stride + i]!;
  const mean = Float32Array.from(sums, sum => sum / size);
  const length = Math.sqrt(mean.reduce((sum, value) => sum + value * value, 0)) * (1 + 1e-10);
  return { mean, length, direction: mean.map(value => (length > 0 ? value / length : 0)) };
}

/** What the kernel adds to and takes off the products of a query with codes. */
export interface CentredBounds extends Bounds {
  /** k / t: times a row's share. */
  readonly portion: number;
  /** 64 times the sum of p. */
  readonly shift: number;
}

/**
 * Of these lengths no step of the bounds below leaves the range of f32; other vectors are no
 * embedder's.
 */
const [SHORTEST, LONGEST] = [2 ** -40, 2 ** 40];
export const isOrdinary = (length: number): boolean => length > SHORTEST && length < LONGEST;

/** No part of a query is smaller than this share of it, so that `portion` stays in range. */
const LEAST_UNIT = 2 ** -20;
/** The kernel rounds to f32 seven times: sum, portion and share, three products and their sum. */
const ROUNDINGS: number = 2 ** -21;
/** Sums in float64 of up to 65,536 numbers: offset and share; and those of the bounds. */
const FLOAT64_MARGIN = 4e-11;
const F32_MARGIN: number = 2 ** -20;

/** Writes the query as the kernel reads it; `norm`: at least its length. */
export function centredBounds(
  query: Float32Array,
  norm: number,
  { mean, direction, reach }: Direction,
  into: Int8Array,
): CentredBounds {
  let [offset, along] = [0, 0];
  for (let i = 0; i < query.length; i++) {
    offset += query[i]! * mean[i]!;
    along += query[i]! * direction[i]!;
  }
  const own = Float64Array.from(query, (value, i) => value - along * direction[i]!);
  const largest = own.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const unit = Math.max(largest / LARGEST_PART, norm * LEAST_UNIT);
  let [squares, lost, sum] = [0, 0, 0];
  for (let i = 0; i < own.length; i++) {
    const part = Math.round(own[i]! / unit);
    into[i] = part;
    sum += part;
    squares += own[i]! * own[i]!;
    lost += (own[i]! - part * unit) ** 2;
  }
  const residual = Math.sqrt(lost) * (1 + 1e-10);
  // |k u| and |q'| are at most |q|, or nearly; `reach` is at least the length of a row, of its
  // codes and of the mean.
  const most = (3 * norm + residual) * reach;
  return {
    ...{ unit, portion: along / unit, shift: SHIFT * sum, offset, margin: F32_MARGIN * most },
    slope: Math.sqrt(squares) * (1 + 1e-10) + norm * FLOAT64_MARGIN,
    constant: residual * reach + (ROUNDINGS + FLOAT64_MARGIN) * most + unit * 2 ** -149,
  };
}
