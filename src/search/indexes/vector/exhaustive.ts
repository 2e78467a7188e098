/**
 * Searches by scoring every allowed row in float64: exact by definition, for any finite vectors.
 */
import { type ScoredItem, Top } from '../../../core/ranking/top.ts';
import { exactScore } from './exact-score.ts';
import type { Rows } from './rows.ts';

export function searchExhaustively(
  rows: Rows,
  query: Float32Array,
  allowed: Uint8Array | undefined,
  k: number,
): ScoredItem[] {
  const top = new Top(k);
  for (let item = 0; item < rows.size; item++) {
    if (allowed === undefined || allowed[item] === 1)
      top.offer(item, exactScore(query, rows.values, item));
  }
  return top.ranked();
}
