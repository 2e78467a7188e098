/**
 * Computes the largest singular values of the item-term matrix A = U S Vᵀ and their vectors by
 * randomised subspace iteration, in blocks of items and in steps.
 *
 * Halko, Martinsson and Tropp, Finding Structure with Randomness, 2011, algorithms 4.4 and 5.1: a
 * random block Ω is multiplied by Aᵀ, then by Aᵀ A, made orthonormal after each product so that
 * small singular values survive, and A is then decomposed inside its span (Rayleigh-Ritz).
 */

import type { Steps } from '../../../core/steps.ts';
import { mulberry32 } from '../mulberry32.ts';
import { addCross, BLOCK_ROWS, padded } from './block-products.ts';
import { addTransposed, type ItemRows, itemRows, rowsTimes } from './item-rows.ts';
import { eigenWork, symmetricEigen } from './symmetric-eigen.ts';
import { gram, multiply } from './tall-products.ts';
import type { TermWeights } from './term-weights.ts';

export interface TruncatedSvd {
  /** The requested number of singular values, or the rank of the matrix if that is less. */
  readonly dimensions: number;
  /** Descending. */
  readonly values: Float64Array;
  /** A V, size × dimensions, row by row; equals U S if U is exact. */
  readonly items: Float32Array;
  /** V, terms × dimensions, row by row. */
  readonly terms: Float32Array;
}

/** An orthonormal block of terms; columns from `rank` on are zero, up to a multiple of `TILE`. */
interface Basis {
  readonly block: Float64Array;
  readonly columns: number;
}

/**
 * Products with Aᵀ A after the first with Aᵀ (Halko et al., remark 4.3: one or two suffice even if
 * singular values decay slowly, as they do here). A third is free of doubt where it takes no time.
 */
const POWER_ITERATIONS = 3;
const POWER_ITERATIONS_OF_MANY = 1;
/** Number of items from which on an iteration takes seconds. */
const MANY = 1 << 15;
/** Columns in excess of the requested ones. */
const OVERSAMPLING = 16;
const SEED = 20231226;
/** Products that take as long as a random number. */
const RANDOM = 4;
/** Products that take as long as one with a row of a large matrix, which waits for memory. */
const SCATTERED = 8;
/** Squared singular values below this share of the largest count as rounding. */
const NEGLIGIBLE = 1e-12;

const roundsOf = (size: number): number =>
  size < MANY ? POWER_ITERATIONS : POWER_ITERATIONS_OF_MANY;

/**
 * Returns about how much work the steps of a decomposition yield, for a share of what is done.
 * `postings`, `size` and `terms` are those of the matrix.
 */
export function svdWork(
  { postings, size, terms }: Readonly<Record<'postings' | 'size' | 'terms', number>>,
  wanted: number,
  rounds: number = roundsOf(size),
): number {
  const columns = padded(Math.min(Math.min(wanted, size) + OVERSAMPLING, terms));
  const passes = 3 + 2 * rounds;
  const bases = 1 + rounds;
  const scattered = passes * SCATTERED * postings * columns;
  const dense = (2 * bases + 1) * terms * columns ** 2 + (bases + 1) * eigenWork(columns);
  return scattered + dense + size * columns * (RANDOM + columns + 1);
}

/** `rounds`: products with Aᵀ A before the last. */
export function* truncatedSvd(
  matrix: TermWeights,
  wanted: number,
  rounds: number = roundsOf(matrix.inverted.size),
): Steps<TruncatedSvd> {
  const rows = yield* itemRows(matrix);
  const { size, terms } = rows;
  const columns = Math.min(Math.min(wanted, size) + OVERSAMPLING, terms);
  // The span of all terms is the whole space, so it is used directly; a search could lose values.
  if (columns === terms) return yield* insideSpan(rows, identity(terms), wanted);
  // So is the span of all items: that of the rows.
  const isWhole = size <= columns;
  const first = isWhole ? unitRows(size) : randomRows(columns);
  let basis = yield* orthonormal(yield* transposeTimes(rows, first), terms);
  for (let round = 0; round < (isWhole ? 0 : rounds); round++)
    basis = yield* orthonormal(yield* transposeTimesRows(rows, basis), terms);
  return yield* insideSpan(rows, basis, wanted);
}

function identity(size: number): Basis {
  const columns = padded(size);
  const block = new Float64Array(size * columns);
  for (let i = 0; i < size; i++) block[i * columns + i] = 1;
  return { block, columns };
}

/** The rows of a matrix of items, as they are asked for: one after the other. */
interface FirstRows {
  readonly columns: number;
  /** Writes the row of an item, at a place of the block. */
  write(item: number, block: Float64Array, at: number): void;
}

/** Numbers uniform in [-1, 1): enough for a random block, and equal on every machine. */
function randomRows(wanted: number): FirstRows {
  const random = mulberry32(SEED);
  const columns = padded(wanted);
  return {
    columns,
    write(_item, block, at) {
      for (let j = 0; j < columns; j++) block[at + j] = 2 * random() - 1;
    },
  };
}

const unitRows = (size: number): FirstRows => ({
  columns: padded(size),
  write(item, block, at) {
    block.fill(0, at, at + padded(size));
    block[at + item] = 1;
  },
});

/** Returns Aᵀ X of a matrix of items. */
function* transposeTimes(rows: ItemRows, first: FirstRows): Steps<Basis> {
  const { columns } = first;
  const product = new Float64Array(rows.terms * columns);
  const block = new Float64Array(BLOCK_ROWS * columns);
  for (let from = 0; from < rows.size; from += BLOCK_ROWS) {
    const to = Math.min(rows.size, from + BLOCK_ROWS);
    for (let item = from; item < to; item++) first.write(item, block, (item - from) * columns);
    addTransposed(rows, [from, to], block, columns, product);
    yield (SCATTERED * entries(rows, from, to) + RANDOM * (to - from)) * columns;
  }
  return { block: product, columns };
}

const entries = ({ starts }: ItemRows, from: number, to: number): number =>
  starts[to]! - starts[from]!;

/** Calls `visit` with A Q, so many rows at a time; it returns its work. */
function* eachBlock(
  rows: ItemRows,
  { block, columns }: Basis,
  visit: (range: readonly [from: number, to: number], product: Float64Array) => number,
): Steps<void> {
  const product = new Float64Array(BLOCK_ROWS * columns);
  for (let from = 0; from < rows.size; from += BLOCK_ROWS) {
    const to = Math.min(rows.size, from + BLOCK_ROWS);
    rowsTimes(rows, [from, to], block, columns, product);
    const work = visit([from, to], product);
    yield SCATTERED * entries(rows, from, to) * columns + work;
  }
}

/** Returns Aᵀ (A Q). */
function* transposeTimesRows(rows: ItemRows, basis: Basis): Steps<Basis> {
  const { columns } = basis;
  const product = new Float64Array(rows.terms * columns);
  yield* eachBlock(rows, basis, (range, block) => {
    addTransposed(rows, range, block, columns, product);
    return SCATTERED * entries(rows, ...range) * columns;
  });
  return { block: product, columns };
}

/**
 * Returns an orthonormal basis of the span of the columns of Y: Y E D^(-1/2), where Yᵀ Y = E D Eᵀ.
 * Drops directions that are rounding.
 */
function* orthonormal({ block, columns }: Basis, height: number): Steps<Basis> {
  const { values, vectors } = yield* symmetricEigen(yield* gram(block, height, columns), columns);
  const kept = countAbove(values);
  const turned = firstColumns(vectors, columns, kept, column => 1 / Math.sqrt(values[column]!));
  const sizes = { rows: height, inner: columns, columns: padded(kept) };
  return { block: yield* multiply(block, turned, sizes), columns: sizes.columns };
}

/** Decomposes A inside the span of the basis Q: (A Q)ᵀ A Q = W S² Wᵀ, V = Q W, U S = A V. */
function* insideSpan(rows: ItemRows, basis: Basis, wanted: number): Steps<TruncatedSvd> {
  const { columns } = basis;
  const squared = new Float64Array(columns * columns);
  yield* eachBlock(rows, basis, ([from, to], block) => {
    addCross()(squared, block, block, { rows: to - from, p: columns, q: columns });
    return (to - from) * columns ** 2;
  });
  const eigen = yield* symmetricEigen(squared, columns);
  const dimensions = Math.min(wanted, countAbove(eigen.values));
  const width = padded(dimensions);
  const turned = firstColumns(eigen.vectors, columns, dimensions, () => 1);
  const sizes = { rows: rows.terms, inner: columns, columns: width };
  const right: Basis = { block: yield* multiply(basis.block, turned, sizes), columns: width };
  const items = new Float32Array(rows.size * dimensions);
  yield* eachBlock(rows, right, ([from, to], block) => {
    for (let row = from; row < to; row++) {
      const at = (row - from) * width;
      items.set(block.subarray(at, at + dimensions), row * dimensions);
    }
    return (to - from) * width;
  });
  const terms = new Float32Array(rows.terms * dimensions);
  for (let term = 0; term < rows.terms; term++) {
    terms.set(right.block.subarray(term * width, term * width + dimensions), term * dimensions);
    yield width;
  }
  const values = eigen.values.slice(0, dimensions).map(Math.sqrt);
  return { dimensions, values, items, terms };
}

function countAbove(values: Float64Array): number {
  const least = NEGLIGIBLE * (values[0] ?? 0);
  let count = 0;
  while (count < values.length && values[count]! > least) count++;
  return count;
}

/** Returns the first `kept` columns of a square matrix, each times its factor, then zeros. */
function firstColumns(
  square: Float64Array,
  n: number,
  kept: number,
  factor: (column: number) => number,
): Float64Array {
  const width = padded(kept);
  const first = new Float64Array(n * width);
  for (let column = 0; column < kept; column++) {
    const times = factor(column);
    for (let row = 0; row < n; row++)
      first[row * width + column] = times * square[row * n + column]!;
  }
  return first;
}
