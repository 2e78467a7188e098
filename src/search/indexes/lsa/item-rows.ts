/**
 * Holds the item-term matrix row by row, and multiplies blocks of its rows with narrow dense
 * matrices, so that no dense matrix of all items is needed.
 */
import type { Steps } from '../../../core/steps.ts';
import { eachPosting, type TermWeights } from './term-weights.ts';

/** Row `i` is an item: entries `starts[i]` to `starts[i + 1]`, by ascending term. */
export interface ItemRows {
  readonly size: number;
  readonly terms: number;
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly weights: Float32Array;
}

/** Returns the rows of a matrix, without its empty columns. */
export function* itemRows({ inverted, idf, weights }: TermWeights): Steps<ItemRows> {
  const { size, terms } = inverted;
  const starts = new Uint32Array(size + 1);
  yield* eachPosting(inverted, (term, _at, item) => {
    if (idf[term] !== 0) starts[item + 1]!++;
  });
  for (let item = 0; item < size; item++) starts[item + 1]! += starts[item]!;
  const next = starts.slice();
  const columns = new Uint32Array(starts[size]!);
  const own = new Float32Array(starts[size]!);
  yield* eachPosting(inverted, (term, at, item) => {
    if (idf[term] === 0) return;
    const place = next[item]!++;
    columns[place] = term;
    own[place] = weights[at]!;
  });
  return { size, terms, starts, columns, weights: own };
}

/** Writes the rows from `from` to `to` times a terms × width matrix. O(postings · width). */
export function rowsTimes(
  { starts, columns, weights }: ItemRows,
  [from, to]: readonly [from: number, to: number],
  matrix: Float64Array,
  width: number,
  out: Float64Array,
): void {
  out.fill(0, 0, (to - from) * width);
  for (let row = from; row < to; row++) {
    const first = (row - from) * width;
    let at = starts[row]!;
    // Four at a time, so that the sum is read and written a quarter as often.
    for (const end = starts[row + 1]! - 3; at < end; at += 4) {
      const [w1, w2, w3, w4] = [weights[at]!, weights[at + 1]!, weights[at + 2]!, weights[at + 3]!];
      const x1 = columns[at]! * width;
      const x2 = columns[at + 1]! * width;
      const x3 = columns[at + 2]! * width;
      const x4 = columns[at + 3]! * width;
      for (let j = 0; j < width; j++)
        out[first + j]! +=
          w1 * matrix[x1 + j]! + w2 * matrix[x2 + j]! + w3 * matrix[x3 + j]! + w4 * matrix[x4 + j]!;
    }
    for (; at < starts[row + 1]!; at++) {
      const weight = weights[at]!;
      const x = columns[at]! * width;
      for (let j = 0; j < width; j++) out[first + j]! += weight * matrix[x + j]!;
    }
  }
}

/** Adds the transposed rows times their block (rows × width) to a terms × width matrix. */
export function addTransposed(
  { starts, columns, weights }: ItemRows,
  [from, to]: readonly [from: number, to: number],
  block: Float64Array,
  width: number,
  out: Float64Array,
): void {
  for (let row = from; row < to; row++) {
    const first = (row - from) * width;
    for (let at = starts[row]!; at < starts[row + 1]!; at++) {
      const weight = weights[at]!;
      const x = columns[at]! * width;
      for (let j = 0; j < width; j++) out[x + j]! += weight * block[first + j]!;
    }
  }
}
