/**
 * A batch of updates to learn from: which query and passage go in, and which passage the next query
 * should find.
 */
import { InputError } from '../../../src/core/errors.ts';
import type { PoolTargets } from './pool-info-nce.ts';

/** All vectors row by row, `d` numbers each, of any length: the loss normalises them. */
export interface TreeHopBatch {
  /** The parent's query of each update; not read where `parents` names a row. */
  readonly queries: Float32Array;
  /** The passage that was found. */
  readonly passages: Float32Array;
  /** The passage that the next query should find. */
  readonly positives: Float32Array;
  /** Vectors, as many for each update, adjacent. Not read where there is `pool`. */
  readonly negatives: Float32Array;
  /**
   * Held against all vectors of the trainer's pool, of which this says what is positive and what
   * does not count.
   */
  readonly pool?: PoolTargets | undefined;
  /**
   * For chains of more than one update: the row whose state is this row's query, an earlier one, or
   * -1. A row follows all rows of lesser depth.
   */
  readonly parents?: Int32Array | undefined;
}

export interface BatchSizes {
  readonly rows: number;
  /** Negatives of each row; 0 where there is a pool. */
  readonly perRow: number;
  /** The positions at which each depth of `parents` begins, and the end. */
  readonly depths: readonly number[];
}

/**
 * Throws `InputError('bad-batch')` naming what does not fit together; `pool` is how many vectors
 * the pool has.
 */
export function measureBatch(
  batch: TreeHopBatch,
  d: number,
  mostRows: number,
  pool = 0,
): BatchSizes {
  const rows = batch.passages.length / d;
  if (!Number.isInteger(rows) || rows < 1 || rows > mostRows)
    throw badBatch(
      'The passages of a batch',
      `from 1 to ${mostRows} rows of ${d} numbers`,
      `${batch.passages.length} numbers`,
    );
  for (const name of ['queries', 'positives'] as const)
    if (batch[name].length !== rows * d)
      throw badBatch(
        `The ${name} of a batch`,
        `${rows} rows of ${d} numbers`,
        `${batch[name].length} numbers`,
      );
  if (batch.pool) checkTargets(batch.pool, rows, pool);
  const perRow = batch.pool ? 0 : batch.negatives.length / (rows * d);
  if (!Number.isInteger(perRow) || (!batch.pool && perRow < 1))
    throw badBatch(
      'The negatives of a batch',
      `as many rows of ${d} numbers for each of ${rows} updates`,
      `${batch.negatives.length} numbers`,
    );
  return { rows, perRow, depths: depthsOf(batch.parents, rows) };
}

function checkTargets({ positives, excluded }: PoolTargets, rows: number, count: number): void {
  for (const { length } of [positives, excluded])
    if (length !== rows)
      throw badBatch('The targets in the pool', `one for each of ${rows} updates`, String(length));
  const outside = [...positives, ...excluded.flat()].find(row => !(row >= 0 && row < count));
  if (outside !== undefined)
    throw badBatch('A row of the pool', `one of its ${count}`, String(outside));
  if (excluded.some((rowsOf, row) => rowsOf.includes(positives[row]!)))
    throw badBatch('An excluded row of the pool', 'another than the positive', 'the positive');
}

function depthsOf(parents: Int32Array | undefined, rows: number): number[] {
  if (parents === undefined) return [0, rows];
  if (parents.length !== rows)
    throw badBatch(
      'The parents of a batch',
      `one for each of ${rows} updates`,
      String(parents.length),
    );
  const depth = new Int32Array(rows);
  const starts = [0];
  for (let row = 0; row < rows; row++) {
    const parent = parents[row]!;
    if (parent < -1 || parent >= row)
      throw badBatch(`The parent of row ${row}`, 'an earlier row, or -1', String(parent));
    depth[row] = parent < 0 ? 0 : depth[parent]! + 1;
    if (row > 0 && depth[row]! < depth[row - 1]!)
      throw badBatch(
        `Row ${row}`,
        'rows in order of depth',
        `depth ${depth[row]} after ${depth[row - 1]}`,
      );
    if (row > 0 && depth[row]! > depth[row - 1]!) starts.push(row);
  }
  return [...starts, rows];
}

const badBatch = (message: string, expected: string, received: string): InputError =>
  new InputError('bad-batch', message, { expected, received });
