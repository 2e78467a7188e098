/**
 * Encodes rows as 7-bit codes of their difference from the mean, and queries as bytes of their
 * difference from the direction of the mean: the part that all vectors of an embedder share takes
 * no bits, so short codes are as precise as longer codes of whole rows.
 */
import type { Bounds } from './bounds.ts';
import { DIMENSION_STEP, ROWS_TOGETHER } from './kernel.ts';
import { codesAt } from './quantise.ts';
import { type Rows, roundedUp } from './rows.ts';

/** The part that all rows share. Vectors have the stride of a row. */
export interface Direction {
  readonly mean: Float32Array;
  /** Direction of the mean; its length is at most 1, up to rounding. */
  readonly direction: Float32Array;
  /**
   * An upper bound of the length of the mean plus that of the longest centred row, or of its codes.
   */
  readonly reach: number;
}

export interface Centre extends Direction {
  /** Per row an upper bound of the length of its codes' residual. */
  readonly residuals: Float32Array;
}

/** Arrays in the memory of a kernel that receive the encoded rows. */
export interface CentredPlaces {
  /** Codes plus 64, placed by `codesAt`. */
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
  const centred = new Float64Array(stride);
  let reach = 0;
  for (let row = 0; row < size; row++) {
    const at = row * stride;
    let [largest, squares, share] = [0, 0, 0];
    for (let i = 0; i < stride; i++) {
      const value = values[at + i]! - mean[i]!;
      centred[i] = value;
      squares += value * value;
      share += value * direction[i]!;
      largest = Math.max(largest, Math.abs(value));
    }
    scales[row] = largest / LARGEST_CODE;
    shares[row] = share;
    const residual = writeCodes(centred, scales[row]!, codes, codesAt(row, stride));
    residuals[row] = roundedUp(residual);
    reach = Math.max(reach, Math.sqrt(squares) * (1 + 1e-10) + residuals[row]!);
  }
  return { mean, direction, residuals, reach: reach + length };
}

/** Writes the codes of one row; returns an upper bound of the length of their residual. */
function writeCodes(row: Float64Array, scale: number, codes: Int8Array, first: number): number {
  const inverse = scale === 0 ? 0 : 1 / scale;
  let squares = 0;
  for (let i = 0, to = first; i < row.length; i++) {
    // Rounds half up by truncation of a positive number, as quantiseRows does.
    const code = Math.min(
      LARGEST_CODE,
      Math.max(-LARGEST_CODE, ((row[i]! * inverse + 1024.5) | 0) - 1024),
    );
    codes[to + (i & (DIMENSION_STEP - 1))] = code + SHIFT;
    if ((i & (DIMENSION_STEP - 1)) === DIMENSION_STEP - 1) to += ROWS_TOGETHER * DIMENSION_STEP;
    const left = row[i]! - code * scale;
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

/** Bounds of a query with centred rows, and the terms that the kernel applies to its products. */
export interface CentredBounds extends Bounds {
  /** k / t, the factor of a row's share. */
  readonly portion: number;
  /** 64 times the sum of p, which the kernel subtracts. */
  readonly shift: number;
}

/**
 * Lengths within which no step of the bounds leaves the range of f32; embedders return no others.
 */
const [SHORTEST, LONGEST] = [2 ** -40, 2 ** 40];
export const isOrdinary = (length: number): boolean => length > SHORTEST && length < LONGEST;

/** Least unit as a share of the query's length, so that `portion` stays in range. */
const LEAST_UNIT = 2 ** -20;
/** The kernel rounds to f32 seven times: sum, portion, share, three products and their sum. */
const ROUNDINGS: number = 2 ** -21;
/** Error of float64 sums of up to 65,536 numbers (offset and share) and of these bounds. */
const FLOAT64_MARGIN = 4e-11;
const F32_MARGIN: number = 2 ** -20;

/**
 * Writes the query in the kernel's format and returns its bounds. `norm` is an upper bound of its
 * length.
 *
 * Row r = m + r', query q = k u + q', with the mean m, a vector u in its direction and k = q.u:
 * q.r = q.m + k u.r' + q'.r'. Each row has its share u.r', and r' = s c + e and q' = t p + f with
 * whole c and p, so q'.r' = s t (p.c) + q'.e + s f.c as in bounds.ts.
 */
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
  const rest = Float64Array.from(query, (value, i) => value - along * direction[i]!);
  const largest = rest.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const unit = Math.max(largest / LARGEST_PART, norm * LEAST_UNIT);
  let [squares, residualSquares, sum] = [0, 0, 0];
  for (let i = 0; i < rest.length; i++) {
    const part = Math.round(rest[i]! / unit);
    into[i] = part;
    sum += part;
    squares += rest[i]! * rest[i]!;
    residualSquares += (rest[i]! - part * unit) ** 2;
  }
  const residual = Math.sqrt(residualSquares) * (1 + 1e-10);
  // |k u| and |q'| are at most about |q|; `reach` bounds the length of a row, of its codes and of
  // the mean.
  const most = (3 * norm + residual) * reach;
  return {
    unit,
    portion: along / unit,
    shift: SHIFT * sum,
    offset,
    margin: F32_MARGIN * most,
    slope: Math.sqrt(squares) * (1 + 1e-10) + norm * FLOAT64_MARGIN,
    constant: residual * reach + (ROUNDINGS + FLOAT64_MARGIN) * most + unit * 2 ** -149,
  };
}
