/**
 * Multiplies the item-term matrix with narrow dense ones directly over the postings, without
 * building the matrix.
 */
import { BLOCK_BITS } from '../lexical/inverted.ts';
import type { TermWeights } from './term-weights.ts';

/**
 * Returns A (Aᵀ X) for a size × columns matrix X, term by term, and passes each row of Aᵀ X to
 * `onTerm`. O(2 · postings · columns).
 */
export function timesTransposeTimes(
  matrix: TermWeights,
  x: Float64Array,
  columns: number,
  onTerm?: (term: number, row: Float64Array) => void,
): Float64Array {
  const { inverted, idf } = matrix;
  const product = new Float64Array(inverted.size * columns);
  const row = new Float64Array(columns);
  for (let term = 0; term < inverted.terms; term++) {
    if (idf[term] === 0) continue;
    row.fill(0);
    for (let block = 0; block < inverted.blocks; block++)
      gather(matrix, x, columns, block, term, row);
    for (let block = 0; block < inverted.blocks; block++)
      scatter(matrix, product, columns, block, term, row);
    onTerm?.(term, row);
  }
  return product;
}

/**
 * Adds the weighted rows of the items that hold the term to `row`, four at a time, so that `row` is
 * read and written a quarter as often.
 */
function gather(
  { inverted, weights }: TermWeights,
  x: Float64Array,
  columns: number,
  block: number,
  term: number,
  row: Float64Array,
): void {
  const place = block * (inverted.terms + 1) + term;
  const { items, offsets } = inverted;
  const end = offsets[place + 1]!;
  const first = block << BLOCK_BITS;
  let at = offsets[place]!;
  for (; at + 3 < end; at += 4) {
    const [w1, w2, w3, w4] = [weights[at]!, weights[at + 1]!, weights[at + 2]!, weights[at + 3]!];
    const x1 = (first + items[at]!) * columns;
    const x2 = (first + items[at + 1]!) * columns;
    const x3 = (first + items[at + 2]!) * columns;
    const x4 = (first + items[at + 3]!) * columns;
    for (let j = 0; j < columns; j++)
      row[j]! += w1 * x[x1 + j]! + w2 * x[x2 + j]! + w3 * x[x3 + j]! + w4 * x[x4 + j]!;
  }
  for (; at < end; at++) {
    const weight = weights[at]!;
    const from = (first + items[at]!) * columns;
    for (let j = 0; j < columns; j++) row[j]! += weight * x[from + j]!;
  }
}

/** Adds the weighted row to the rows of the items that hold the term. */
function scatter(
  { inverted, weights }: TermWeights,
  product: Float64Array,
  columns: number,
  block: number,
  term: number,
  row: Float64Array,
): void {
  const place = block * (inverted.terms + 1) + term;
  const { items, offsets } = inverted;
  const first = block << BLOCK_BITS;
  for (let at = offsets[place]!, end = offsets[place + 1]!; at < end; at++) {
    const weight = weights[at]!;
    const to = (first + items[at]!) * columns;
    for (let j = 0; j < columns; j++) product[to + j]! += weight * row[j]!;
  }
}
