/**
 * Weights the matrix that LSA decomposes: sublinear TF-IDF of every item, aligned with the postings
 * of the inverted index.
 */

import { STEP, type Steps } from '../../../core/steps.ts';
import { BLOCK_BITS, documentFrequency, frequencyAt, type Inverted } from '../lexical/inverted.ts';

/** Products that take as long as a posting. */
const WORK = 16;

/**
 * The matrix: row `i` is an item of length 1, column `t` a term; columns of stop words are empty.
 */
export interface TermWeights {
  readonly inverted: Inverted;
  /** One per term; 0 for terms that are dropped or in no item. */
  readonly idf: Float64Array;
  /** The entry of the matrix at each posting. */
  readonly weights: Float32Array;
}

/** Returns 1 + ln tf. */
export const sublinear = (frequency: number): number => 1 + Math.log(frequency);

/**
 * Returns (1 + ln tf) · (ln((1 + N) / (1 + df)) + 1) with rows scaled to length 1, so that an item
 * has the same weight whatever its length. The idf is that of the scorer S1 (scikit-learn's smooth
 * idf).
 */
export function* termWeights(inverted: Inverted, dropped: ReadonlySet<number>): Steps<TermWeights> {
  const idf = new Float64Array(inverted.terms);
  for (let term = 0; term < inverted.terms; term++) {
    const df = dropped.has(term) ? 0 : documentFrequency(inverted, term);
    if (df > 0) idf[term] = Math.log((1 + inverted.size) / (1 + df)) + 1;
  }
  const weights = new Float32Array(inverted.items.length);
  const squares = new Float64Array(inverted.size);
  yield* eachPosting(inverted, (term, at, item) => {
    weights[at] = sublinear(frequencyAt(inverted, at)) * idf[term]!;
    squares[item]! += weights[at]! ** 2;
  });
  yield* eachPosting(inverted, (_term, at, item) => {
    if (squares[item]! > 0) weights[at]! /= Math.sqrt(squares[item]!);
  });
  return { inverted, idf, weights };
}

/** Visits the postings, block by block and term by term. */
export function* eachPosting(
  inverted: Inverted,
  visit: (term: number, at: number, item: number) => void,
): Steps<void> {
  const { terms, blocks, offsets, items } = inverted;
  for (let block = 0; block < blocks; block++) {
    const row = block * (terms + 1);
    let last = offsets[row]!;
    for (let term = 0; term < terms; term++) {
      const end = offsets[row + term + 1]!;
      for (let at = offsets[row + term]!; at < end; at++)
        visit(term, at, (block << BLOCK_BITS) + items[at]!);
      if (end - last < STEP) continue;
      yield WORK * (end - last);
      last = end;
    }
  }
}
