/**
 * Questions as batches of updates: shuffled anew for each epoch by seed and epoch alone, so that a
 * run that goes on meets the same ones.
 */

import { mulberry32 } from '../../../src/core/mulberry32.ts';
import { shuffled } from '../../../src/evaluation/fitting/folds.ts';
import type { TreeHopBatch } from './batch.ts';
import type { PoolTargets } from './pool-info-nce.ts';
import type { TrainingExample, TrainingRecord } from './training-set.ts';
import { rowOf, type TrainingVectors } from './training-vectors.ts';

/**
 * Against which negatives an update is held: its own, as published; or, which is ours, all
 * paragraphs of the training set.
 */
export const NEGATIVE_CHOICES = ['own', 'pool'] as const;
export type NegativeChoice = (typeof NEGATIVE_CHOICES)[number];

/** A stream of its own for each purpose, epoch and batch of one seed. */
export function streamOf(seed: number, ...places: readonly number[]): () => number {
  let mixed = seed >>> 0;
  for (const place of places)
    mixed = Math.floor(mulberry32(mixed ^ Math.imul(place + 1, 0x9e3779b1))() * 4294967296);
  return mulberry32(mixed);
}

/** Indices of questions, `size` a batch. */
export const shuffledBatches = (
  questions: readonly number[],
  size: number,
  random: () => number,
): number[][] => inBatches(shuffled(questions, random), size);

export function inBatches(order: readonly number[], size: number): number[][] {
  return Array.from({ length: Math.ceil(order.length / size) }, (_, batch) =>
    order.slice(batch * size, (batch + 1) * size),
  );
}

/** The updates of one question: what has a path. */
export const updatesOf = ({ records }: TrainingExample): TrainingRecord[] =>
  records.filter(({ path }) => path.length > 0);

/** The most updates that a batch of so many of these questions can have. */
export function mostUpdates(examples: readonly TrainingExample[], size: number): number {
  const counts = examples.map(example => updatesOf(example).length).sort((a, b) => b - a);
  return counts.slice(0, size).reduce((sum, count) => sum + count, 0);
}

interface Update {
  readonly question: number;
  readonly record: TrainingRecord;
}

/**
 * The updates of some questions, those of longer paths after those of shorter ones. Null where
 * there are none.
 */
export function batchOf(
  examples: readonly TrainingExample[],
  vectors: TrainingVectors,
  questions: readonly number[],
  choice: NegativeChoice = 'own',
): TreeHopBatch | null {
  const updates = questions.flatMap(question =>
    updatesOf(examples[question]!).map((record): Update => ({ question, record })),
  );
  updates.sort((a, b) => a.record.path.length - b.record.path.length);
  if (updates.length === 0) return null;
  const { d, questions: queries, paragraphs } = vectors;
  const parents = parentsOf(updates);
  return {
    queries: gathered(
      queries,
      updates.map(({ question }) => question),
      d,
    ),
    passages: gathered(
      paragraphs,
      updates.map(({ record }) => record.path.at(-1)!),
      d,
    ),
    positives: gathered(
      paragraphs,
      updates.map(({ record }) => record.positive),
      d,
    ),
    negatives: gathered(
      paragraphs,
      choice === 'pool' ? [] : updates.flatMap(({ record }) => record.negatives),
      d,
    ),
    pool: choice === 'pool' ? targetsOf(examples, updates) : undefined,
    parents: parents.some(parent => parent >= 0) ? parents : undefined,
  };
}

/**
 * All gold of the question is no negative but the passage that was found: the next query is to lead
 * away from it.
 */
function targetsOf(examples: readonly TrainingExample[], updates: readonly Update[]): PoolTargets {
  const excluded = updates.map(({ question, record: { positive, path } }) =>
    [...new Set(examples[question]!.records.map(record => record.positive))].filter(
      gold => gold !== positive && gold !== path.at(-1),
    ),
  );
  return { positives: Int32Array.from(updates, ({ record }) => record.positive), excluded };
}

/** The row that leads to the last passage of each path: its state is the query. */
function parentsOf(updates: readonly Update[]): Int32Array {
  const rows = new Map<string, number>();
  return Int32Array.from(updates, ({ question, record: { path } }, row) => {
    const key = `${question} ${path.join()}`;
    if (!rows.has(key)) rows.set(key, row);
    return path.length === 1 ? -1 : rows.get(`${question} ${path.slice(0, -1).join()}`)!;
  });
}

function gathered(values: Float32Array, rows: readonly number[], d: number): Float32Array {
  const all = new Float32Array(rows.length * d);
  for (const [at, row] of rows.entries()) all.set(rowOf(values, row, d), at * d);
  return all;
}
