/** The mean loss of a batch by the oracle, and gradients by its central differences. */
import assert from 'node:assert/strict';
import type { TreeHopShape, TreeHopVariant } from '../../src/models/tree-hop/shape.ts';
import { oracleLoss, oracleUpdate } from '../../test/oracles/tree-hop-oracle.ts';
import type { TreeHopBatch } from '../learning/tree-hop/batch.ts';

/** Weights by name, which `checkGradients` moves in turn. */
export type Weights = ReadonlyMap<string, number[]>;

export const rowOf = (all: Float32Array, at: number, d: number): number[] => [
  ...all.subarray(at * d, (at + 1) * d),
];

interface Oracle {
  readonly variant?: TreeHopVariant;
  /** Factors of the outputs of each block's ReLU: dropout with a fixed mask. */
  scales?(row: number, head: number, block: number): readonly number[];
  /** The positive, then the negatives; those of the batch if missing. */
  keys?(row: number): readonly (readonly number[])[];
}

/** A row whose parent is another row starts from its state. */
export function oracleBatchLoss(
  shape: TreeHopShape,
  weights: Weights,
  batch: TreeHopBatch,
  { variant = 'full', scales, keys }: Oracle = {},
): number {
  const { d } = shape;
  const rows = batch.passages.length / d;
  const perRow = batch.negatives.length / batch.passages.length;
  const states: number[][] = [];
  let sum = 0;
  for (let row = 0; row < rows; row++) {
    const parent = batch.parents?.[row] ?? -1;
    const query = parent < 0 ? rowOf(batch.queries, row, d) : states[parent]!;
    const passage = rowOf(batch.passages, row, d);
    const dropped = scales && ((head: number, block: number) => scales(row, head, block));
    const { h } = oracleUpdate(shape, weights, query, passage, variant, 1e-5, dropped);
    states.push(h);
    const negatives = Array.from({ length: perRow }, (_, j) =>
      rowOf(batch.negatives, row * perRow + j, d),
    );
    sum += oracleLoss(h, keys?.(row) ?? [rowOf(batch.positives, row, d), ...negatives]);
  }
  return sum / rows;
}

/** The error of a difference falls with the square of the step, until rounding takes over. */
const STEP = 1e-5;

export function checkGradients(
  weights: Weights,
  loss: () => number,
  gradients: ReadonlyMap<string, Float32Array>,
): void {
  for (const [name, values] of weights) {
    const slopes = values.map((value, i) => {
      const at = (moved: number): number => {
        values[i] = moved;
        return loss();
      };
      const slope = (at(value + STEP) - at(value - STEP)) / (2 * STEP);
      values[i] = value;
      return slope;
    });
    const size = Math.max(...slopes.map(Math.abs));
    const apart = Math.max(...slopes.map((slope, i) => Math.abs(slope - gradients.get(name)![i]!)));
    assert.ok(apart <= 2e-4 * size + 1e-6, `${name}: ${apart} apart of ${size}`);
  }
}
