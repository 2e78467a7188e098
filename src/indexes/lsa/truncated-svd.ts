/**
 * Computes the largest singular values of the item-term matrix A = U S Vᵀ and their vectors by
 * randomised subspace iteration.
 *
 * Halko, Martinsson and Tropp, Finding Structure with Randomness, 2011, algorithms 4.4 and 5.1: a
 * random block is multiplied by A Aᵀ, made orthonormal after each product so that small singular
 * values survive, and A is then decomposed inside its span (Rayleigh-Ritz).
 */
import { mulberry32 } from '../mulberry32.ts';
import { crossProduct, gram, multiply } from './dense-products.ts';
import { symmetricEigen } from './symmetric-eigen.ts';
import { timesTransposeTimes } from './term-products.ts';
import type { TermWeights } from './term-weights.ts';

export interface TruncatedSvd {
  /** The requested number of singular values, or the rank of the matrix if that is less. */
  readonly dimensions: number;
  /** Descending. */
  readonly values: Float64Array;
  /** A V, size × dimensions, row by row; equals U S if U is exact. */
  readonly items: Float64Array;
  /** V, terms × dimensions, row by row. */
  readonly terms: Float32Array;
}

/**
 * Products with A Aᵀ before the last (Halko et al., remark 4.3: one or two suffice even if singular
 * values decay slowly, as they do here; one is a margin).
 */
const POWER_ITERATIONS = 3;
/** Columns in excess of the requested ones. */
const OVERSAMPLING = 16;
const SEED = 20231226;
/** Squared singular values below this share of the largest count as rounding. */
const NEGLIGIBLE = 1e-12;

export function truncatedSvd(matrix: TermWeights, wanted: number): TruncatedSvd {
  const { size, terms } = matrix.inverted;
  // `wanted` is capped by the terms before oversampling: a block as wide as the rank would be
  // square, and a random square block loses small singular values.
  let columns = Math.min(Math.min(wanted, terms) + OVERSAMPLING, size);
  // The span is the whole space, so it is used directly; a search could lose small values.
  if (columns === size) return insideSpan(matrix, identity(size), size, wanted);
  let basis: Float64Array = randomBlock(size * columns);
  for (let round = 0; round < POWER_ITERATIONS; round++)
    ({ basis, columns } = orthonormal(timesTransposeTimes(matrix, basis, columns), size, columns));
  return insideSpan(matrix, basis, columns, wanted);
}

function identity(size: number): Float64Array {
  const matrix = new Float64Array(size * size);
  for (let i = 0; i < size; i++) matrix[i * size + i] = 1;
  return matrix;
}

/**
 * Returns numbers uniform in [-1, 1): enough for a random block, and free of functions that differ
 * between machines.
 */
function randomBlock(length: number): Float64Array {
  const random = mulberry32(SEED);
  return Float64Array.from({ length }, () => 2 * random() - 1);
}

/**
 * Returns an orthonormal basis of the span of the columns of Y: Y E D^(-1/2), where Yᵀ Y = E D Eᵀ.
 * Drops directions that are rounding.
 */
function orthonormal(
  y: Float64Array,
  rows: number,
  columns: number,
): { basis: Float64Array; columns: number } {
  const { values, vectors } = symmetricEigen(gram(y, rows, columns), columns);
  const kept = countAbove(values);
  const turned = firstColumns(vectors, columns, kept, column => 1 / Math.sqrt(values[column]!));
  return { basis: multiply(y, turned, rows, columns, kept), columns: kept };
}

/** Decomposes A inside the span of the basis Q: Qᵀ A Aᵀ Q = W S² Wᵀ, U = Q W, V S = Aᵀ U. */
function insideSpan(
  matrix: TermWeights,
  basis: Float64Array,
  columns: number,
  wanted: number,
): TruncatedSvd {
  const { size, terms } = matrix.inverted;
  const squared = crossProduct(basis, timesTransposeTimes(matrix, basis, columns), size, columns);
  const eigen = symmetricEigen(symmetric(squared, columns), columns);
  const dimensions = Math.min(wanted, countAbove(eigen.values));
  const values = eigen.values.slice(0, dimensions).map(Math.sqrt);
  const left = multiply(
    basis,
    firstColumns(eigen.vectors, columns, dimensions, () => 1),
    size,
    columns,
    dimensions,
  );
  const right = new Float32Array(terms * dimensions);
  const items = timesTransposeTimes(matrix, left, dimensions, (term, row) => {
    for (let j = 0; j < dimensions; j++) right[term * dimensions + j] = row[j]! / values[j]!;
  });
  for (let at = 0; at < items.length; at += dimensions)
    for (let j = 0; j < dimensions; j++) items[at + j]! /= values[j]!;
  return { dimensions, values, items, terms: right };
}

function countAbove(values: Float64Array): number {
  const least = NEGLIGIBLE * (values[0] ?? 0);
  let count = 0;
  while (count < values.length && values[count]! > least) count++;
  return count;
}

/** Returns the first `kept` columns of a square matrix, each times its factor. */
function firstColumns(
  square: Float64Array,
  n: number,
  kept: number,
  factor: (column: number) => number,
): Float64Array {
  const first = new Float64Array(n * kept);
  for (let column = 0; column < kept; column++) {
    const times = factor(column);
    for (let row = 0; row < n; row++)
      first[row * kept + column] = times * square[row * n + column]!;
  }
  return first;
}

/** Averages the two halves, which differ by rounding. */
function symmetric(square: Float64Array, n: number): Float64Array {
  for (let a = 0; a < n; a++) {
    for (let b = 0; b < a; b++)
      square[a * n + b] = square[b * n + a] = (square[a * n + b]! + square[b * n + a]!) / 2;
  }
  return square;
}
