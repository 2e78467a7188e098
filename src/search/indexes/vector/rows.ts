/**
 * Holds the vectors of an index as contiguous f32 rows, padded with zeros and validated when they
 * are added.
 */
import { InputError } from '../../../core/errors.ts';
import { DIMENSION_STEP, paddedTo } from './kernel.ts';

/** Most dimensions for which the error bounds of bounds.ts hold. */
export const MOST_DIMENSIONS = 65536;

export interface Rows {
  readonly size: number;
  readonly dimensions: number;
  /**
   * Floats from one row to the next: `dimensions` rounded up to a multiple of 16; the padding is
   * zeros.
   */
  readonly stride: number;
  /** size x stride numbers. */
  readonly values: Float32Array;
  /** Per row an upper bound of its Euclidean length. */
  readonly norms: Float32Array;
}

export const strideOf = (dimensions: number): number => paddedTo(DIMENSION_STEP, dimensions);

export function checkDimensions(dimensions: number): void {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MOST_DIMENSIONS)
    throw new InputError('bad-dimensions', 'Invalid number of dimensions of a vector index', {
      expected: `a whole number from 1 to ${MOST_DIMENSIONS}`,
      received: String(dimensions),
    });
}

/**
 * Returns the number of rows. Throws `InputError('wrong-dimensions')`, naming the row whose length
 * differs from `dimensions`.
 */
export function countRows(
  vectors: Float32Array | readonly Float32Array[],
  dimensions: number,
): number {
  if (vectors instanceof Float32Array) {
    const size = Math.floor(vectors.length / dimensions);
    if (size * dimensions !== vectors.length)
      throw wrongDimensions(`row ${size}`, dimensions, vectors.length - size * dimensions);
    return size;
  }
  vectors.forEach((vector, row) => {
    if (vector.length !== dimensions)
      throw wrongDimensions(`row ${row}`, dimensions, vector.length);
  });
  return vectors.length;
}

export function wrongDimensions(which: string, dimensions: number, received: number): InputError {
  return new InputError(
    'wrong-dimensions',
    `The vector of ${which} has the wrong number of dimensions`,
    {
      expected: String(dimensions),
      received: String(received),
      hint: 'All vectors of an index must come from one embedder.',
    },
  );
}

/**
 * Copies vectors into the zeroed `values` and measures their lengths. Throws
 * `InputError('not-finite')`, naming row and dimension.
 */
export function fillRows(
  vectors: Float32Array | readonly Float32Array[],
  dimensions: number,
  values: Float32Array,
): Rows {
  const stride = strideOf(dimensions);
  const size = values.length / stride;
  const norms = new Float32Array(size);
  for (let row = 0; row < size; row++) {
    const [vector, from] =
      vectors instanceof Float32Array ? [vectors, row * dimensions] : [vectors[row]!, 0];
    const at = row * stride;
    for (let i = 0; i < dimensions; i++) values[at + i] = vector[from + i]!;
    norms[row] = roundedUp(checkedNorm(values, at, stride, `row ${row}`));
  }
  return { size, dimensions, stride, values, norms };
}

/** Pads and measures a query; throws like `countRows` and `fillRows`. */
export function readQuery(
  vector: Float32Array,
  { dimensions, stride }: Rows,
  which: string,
): { padded: Float32Array; norm: number } {
  if (vector.length !== dimensions) throw wrongDimensions(which, dimensions, vector.length);
  const padded = new Float32Array(stride);
  padded.set(vector);
  return { padded, norm: checkedNorm(padded, 0, stride, which) };
}

/**
 * Returns an upper bound of the Euclidean length. Squares of f32 neither overflow nor vanish in
 * float64, so only NaN and Infinity make it not finite.
 */
function checkedNorm(values: Float32Array, at: number, stride: number, which: string): number {
  const norm = Math.sqrt(sumOfSquares(values, at, stride)) * (1 + 1e-10);
  if (Number.isFinite(norm)) return norm;
  const dimension = values.subarray(at, at + stride).findIndex(value => !Number.isFinite(value));
  throw new InputError(
    'not-finite',
    `The vector of ${which} contains a number that is not finite`,
    {
      expected: 'finite numbers',
      received: `${values[at + dimension]} in dimension ${dimension}`,
    },
  );
}

function sumOfSquares(values: Float32Array, at: number, stride: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (const end = at + stride; at < end; at += 4) {
    a += values[at]! * values[at]!;
    b += values[at + 1]! * values[at + 1]!;
    c += values[at + 2]! * values[at + 2]!;
    d += values[at + 3]! * values[at + 3]!;
  }
  return a + b + (c + d);
}

/** Returns an f32 not below this value, which is 0 or more. */
export const roundedUp = (value: number): number => Math.fround(value * (1 + 2 ** -23) + 2 ** -149);
