/** The loss of each row of a batch against its own negatives, row by row. */
import type { Rows } from '../../../src/models/tree-hop/activations.ts';
import type { BatchSizes, TreeHopBatch } from './batch.ts';
import { infoNce } from './info-nce.ts';

export interface OwnNegativesTerms {
  readonly floats: Float32Array;
  readonly d: number;
  readonly temperature: number;
  readonly states: Rows;
  /** The place of ∂loss/∂h times `factor`; undefined if not needed. */
  readonly gradient: { readonly to: Rows; readonly factor: number } | undefined;
}

export function ownNegativesLosses(
  batch: TreeHopBatch,
  { rows, perRow }: BatchSizes,
  terms: OwnNegativesTerms,
): Float64Array {
  const { floats, d, temperature, states, gradient } = terms;
  const chosen = Int32Array.from({ length: rows * perRow }, (_, at) => at);
  return Float64Array.from({ length: rows }, (_, row) => {
    const term = {
      d,
      temperature,
      negatives: batch.negatives,
      chosen,
      from: row * perRow,
      count: perRow,
      state: { values: floats, at: states.at + row * states.stride },
      positive: { values: batch.positives, at: row * d },
    };
    if (!gradient) return infoNce(term);
    return infoNce(term, {
      values: floats,
      at: gradient.to.at + row * gradient.to.stride,
      factor: gradient.factor,
    });
  });
}
