/** Multiplies tall matrices, of many rows and few columns, block by block, in steps. */
import type { Steps } from '../../../core/steps.ts';
import { addCross, BLOCK_ROWS } from './block-products.ts';

/** Returns Yᵀ Y of a rows × columns matrix. O(rows · columns²). */
export function* gram(y: Float64Array, rows: number, columns: number): Steps<Float64Array> {
  const product = new Float64Array(columns * columns);
  for (let from = 0; from < rows; from += BLOCK_ROWS) {
    const count = Math.min(BLOCK_ROWS, rows - from);
    const block = y.subarray(from * columns, (from + count) * columns);
    addCross()(product, block, block, { rows: count, p: columns, q: columns });
    yield count * columns * columns;
  }
  return product;
}

/**
 * Returns Y M of a rows × inner matrix and one of inner × columns, of no more columns than Y has.
 * It is written over Y: a row is read before a shorter one takes its place. Tall matrices are most
 * of the memory of a fit. O(rows · inner · columns).
 */
export function* multiply(
  y: Float64Array,
  m: Float64Array,
  sizes: { readonly rows: number; readonly inner: number; readonly columns: number },
): Steps<Float64Array> {
  const { rows, inner, columns } = sizes;
  if (columns > inner) throw new RangeError(`${columns} columns have no room in ${inner}`);
  const turned = new Float64Array(inner * BLOCK_ROWS);
  const block = new Float64Array(BLOCK_ROWS * columns);
  for (let from = 0; from < rows; from += BLOCK_ROWS) {
    const count = Math.min(BLOCK_ROWS, rows - from);
    for (let row = 0; row < BLOCK_ROWS; row++)
      for (let a = 0; a < inner; a++)
        turned[a * BLOCK_ROWS + row] = row < count ? y[(from + row) * inner + a]! : 0;
    block.fill(0);
    addCross()(block, turned, m, { rows: inner, p: BLOCK_ROWS, q: columns });
    y.set(block.subarray(0, count * columns), from * columns);
    yield count * inner * columns;
  }
  return y.subarray(0, rows * columns);
}
