/**
 * Encodes rows as signed bytes with one scale per row, and queries as 16-bit numbers; the length of
 * each residual is measured, not estimated.
 */
import { DIMENSION_STEP, paddedTo, ROWS_TOGETHER } from './kernel.ts';
import { type Rows, roundedUp } from './rows.ts';

export interface Codes {
  /**
   * Whole numbers from -127 to 127, placed by `codesAt`: a row is about its codes times its scale.
   */
  readonly codes: Int8Array;
  readonly scales: Float32Array;
  /** Per row an upper bound of the Euclidean length of its residual: |row - scale * codes|. */
  readonly residuals: Float32Array;
}

const LARGEST_CODE = 127;

/** Returns the number of codes of so many rows, padded to a multiple of four rows. */
export const codesLength = (size: number, stride: number): number =>
  paddedTo(ROWS_TOGETHER, size) * stride;

/**
 * Returns the index of a row's first 16 codes; each further 16 are 64 later, since rows are
 * interleaved in fours, 16 codes of each in turn.
 */
export const codesAt = (row: number, stride: number): number =>
  (row - (row % ROWS_TOGETHER)) * stride + (row % ROWS_TOGETHER) * DIMENSION_STEP;

/**
 * Fills `codes` and `scales` in place (they may lie in the memory of a kernel) and returns them
 * with residuals. Scale = largest / 127, symmetric.
 */
export function quantiseRows(
  { size, stride, values }: Rows,
  codes: Int8Array,
  scales: Float32Array,
): Codes {
  const residuals = new Float32Array(size);
  for (let row = 0; row < size; row++) {
    const at = row * stride;
    const end = at + stride;
    let largest = 0;
    for (let i = at; i < end; i++) largest = Math.max(largest, Math.abs(values[i]!));
    const scale = Math.fround(largest / LARGEST_CODE);
    scales[row] = scale;
    const inverse = scale === 0 ? 0 : 1 / scale;
    let squares = 0;
    let to = codesAt(row, stride);
    for (let i = at; i < end; i++) {
      // Rounds half up by truncation of a positive number; a subnormal scale may yield more than
      // 127.
      const code = Math.min(
        LARGEST_CODE,
        Math.max(-LARGEST_CODE, ((values[i]! * inverse + 1024.5) | 0) - 1024),
      );
      codes[to + (i & (DIMENSION_STEP - 1))] = code;
      if ((i & (DIMENSION_STEP - 1)) === DIMENSION_STEP - 1) to += ROWS_TOGETHER * DIMENSION_STEP;
      const left = values[i]! - code * scale;
      squares += left * left;
    }
    residuals[row] = roundedUp(Math.sqrt(squares) * (1 + 1e-10));
  }
  return { codes, scales, residuals };
}

/**
 * Writes a query as whole numbers whose products with any codes fit in 32 bits; returns the value
 * of 1 and the length of the residual.
 */
export function quantiseQuery(
  query: Float32Array,
  into: Int16Array,
): { readonly unit: number; readonly residual: number } {
  const limit = Math.min(32767, Math.floor((2 ** 31 - 1) / (LARGEST_CODE * query.length)));
  let largest = 0;
  for (let i = 0; i < query.length; i++) largest = Math.max(largest, Math.abs(query[i]!));
  const unit = largest / limit;
  let squares = 0;
  for (let i = 0; i < query.length; i++) {
    const number = Math.round(query[i]! / unit);
    into[i] = number;
    const left = query[i]! - number * unit;
    squares += left * left;
  }
  return { unit, residual: Math.sqrt(squares) * (1 + 1e-10) };
}
