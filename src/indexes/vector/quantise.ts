/** Rows as signed bytes with a scale a row, and queries as 16-bit numbers; what is lost is measured, not estimated. */
import { type Rows, roundedUp } from './rows.ts';

export interface Codes {
  /** size x stride, whole numbers from -127 to 127: a row is about its codes times its scale. */
  readonly codes: Int8Array;
  readonly scales: Float32Array;
  /** Of each row at least the Euclidean length of what its codes leave over: |row - scale * codes|. */
  readonly residuals: Float32Array;
}

const LARGEST_CODE = 127;

/** Scale = largest / 127, symmetric. Fills `codes` and `scales` where they stand, in the memory of a kernel perhaps. */
export function quantiseRows({ size, stride, values }: Rows, codes: Int8Array, scales: Float32Array): Codes {
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
    for (let i = at; i < end; i++) {
      // Rounds half up by truncation of a positive number; a scale of few bits may ask for more than 127.
      const code = Math.min(LARGEST_CODE, Math.max(-LARGEST_CODE, ((values[i]! * inverse + 1024.5) | 0) - 1024));
      codes[i] = code;
      const left = values[i]! - code * scale;
      squares += left * left;
    }
    residuals[row] = roundedUp(Math.sqrt(squares) * (1 + 1e-10));
  }
  return { codes, scales, residuals };
}

/** Writes a query as whole numbers whose products with any codes fit in 32 bits; returns the size of 1 and the length of what is left over. */
export function quantiseQuery(query: Float32Array, into: Int16Array): { readonly unit: number; readonly residual: number } {
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
