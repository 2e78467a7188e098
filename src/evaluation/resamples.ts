/**
 * Bootstrap resamples, drawn once as counts and reused over all measures and rows: how often each
 * question stands in each resample.
 */

import { mulberry32 } from '../core/mulberry32.ts';
import { finish, type Steps } from '../core/steps.ts';

/** Settings of the bootstrap; the papers state neither number. */
export const BOOTSTRAP = { resamples: 10_000, seed: 20231226, generator: 'mulberry32' } as const;

/** Number of resamples of clusters, whose intervals are printed beside those of questions. */
export const CLUSTER_RESAMPLES = 2_000;

/** Counts that are drawn or read in some milliseconds: the work of a step. */
const STEP = 1 << 18;

/** Returns the number of resamples of so many counts each that a step takes. */
const rowsOf = (n: number): number => Math.max(1, Math.floor(STEP / Math.max(1, n)));

export interface Resamples {
  /** Questions. */
  readonly n: number;
  /** B. */
  readonly resamples: number;
  readonly seed: number;
  /**
   * B x n, row by row: how often question i stands in resample b. Each row adds up to n if
   * questions were drawn singly.
   */
  readonly counts: Uint16Array;
}

/**
 * Draws n question indices with replacement, B times: index = floor(random x n), in one stream. O(B
 * n).
 */
export function drawResamples(n: number, settings: ResampleSettings = {}): Resamples {
  return finish(drawResamplesInSteps(n, settings));
}

export interface ResampleSettings {
  readonly resamples?: number;
  readonly seed?: number;
}

export function* drawResamplesInSteps(
  n: number,
  { resamples = BOOTSTRAP.resamples, seed = BOOTSTRAP.seed }: ResampleSettings = {},
): Steps<Resamples> {
  const counts = new Uint16Array(resamples * n);
  const random = mulberry32(seed);
  const rows = rowsOf(n);
  for (let b = 0; b < resamples; b++) {
    const row = b * n;
    for (let i = 0; i < n; i++) counts[row + Math.floor(random() * n)]!++;
    if (b % rows === rows - 1) yield rows * n;
  }
  return { n, resamples, seed, counts };
}

/**
 * Draws as many clusters as there are with replacement, B times, each with all of its questions
 * (the cluster bootstrap: Cameron and Miller, A Practitioner's Guide to Cluster-Robust Inference,
 * Journal of Human Resources 50(2), 2015). `clusters`: that of each question, from 0 without gaps.
 * O(B n).
 */
export function drawClusterResamples(
  clusters: Int32Array,
  { resamples = CLUSTER_RESAMPLES, seed = BOOTSTRAP.seed }: ResampleSettings = {},
): Resamples {
  const n = clusters.length;
  const size = new Set(clusters).size;
  const counts = new Uint16Array(resamples * n);
  const drawn = new Uint16Array(size);
  const random = mulberry32(seed);
  for (let b = 0; b < resamples; b++) {
    drawn.fill(0);
    for (let i = 0; i < size; i++) drawn[Math.floor(random() * size)]!++;
    for (let i = 0; i < n; i++) counts[b * n + i] = drawn[clusters[i]!]!;
  }
  return { n, resamples, seed, counts };
}

/** Columns that are multiplied in one pass over the counts. */
const WIDTH = 8;

/** One block of at most eight columns, question by question. */
function interleave(columns: readonly Float64Array[], n: number): Float64Array {
  const block = new Float64Array(n * WIDTH);
  for (const [j, column] of columns.entries())
    for (let i = 0; i < n; i++) block[i * WIDTH + j] = column[i]!;
  return block;
}

// Eight running sums in locals: with an inner loop over columns instead this takes three times as
// long.
function sumBlock(
  { n, counts }: Resamples,
  [from, to]: readonly [from: number, to: number],
  block: Float64Array,
  sums: readonly Float64Array[],
): void {
  const out = new Float64Array(WIDTH);
  for (let b = from; b < to; b++) {
    let [a0, a1, a2, a3, a4, a5, a6, a7] = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let i = 0, at = b * n, x = 0; i < n; i++, at++, x += WIDTH) {
      const count = counts[at]!;
      a0 += count * block[x]!;
      a1 += count * block[x + 1]!;
      a2 += count * block[x + 2]!;
      a3 += count * block[x + 3]!;
      a4 += count * block[x + 4]!;
      a5 += count * block[x + 5]!;
      a6 += count * block[x + 6]!;
      a7 += count * block[x + 7]!;
    }
    out.set([a0, a1, a2, a3, a4, a5, a6, a7]);
    for (const [j, sum] of sums.entries()) sum[b] = out[j]!;
  }
}

/** For each column (one number a question) its sum in each resample. */
export function resampledSums(
  resamples: Resamples,
  columns: readonly Float64Array[],
): Float64Array[] {
  return finish(resampledSumsInSteps(resamples, columns));
}

export function* resampledSumsInSteps(
  resamples: Resamples,
  columns: readonly Float64Array[],
): Steps<Float64Array[]> {
  const all: Float64Array[] = columns.map(() => new Float64Array(resamples.resamples));
  const rows = rowsOf(resamples.n);
  for (let start = 0; start < columns.length; start += WIDTH) {
    const block = interleave(columns.slice(start, start + WIDTH), resamples.n);
    const sums = all.slice(start, start + WIDTH);
    for (let from = 0; from < resamples.resamples; from += rows) {
      sumBlock(resamples, [from, Math.min(resamples.resamples, from + rows)], block, sums);
      yield rows * resamples.n;
    }
  }
  return all;
}

/**
 * For each resample the quantile of the values that stand in it (type 7); NaN where none does.
 * `values` is NaN where a question has none.
 */
export function* resampledQuantiles(
  { n, resamples, counts }: Resamples,
  values: Float64Array,
  at: number,
): Steps<Float64Array> {
  const order = Uint32Array.from(
    [...values.keys()]
      .filter(i => !Number.isNaN(values[i]!))
      .sort((a, b) => values[a]! - values[b]!),
  );
  const found = new Float64Array(resamples).fill(Number.NaN);
  const rows = rowsOf(n);
  for (let b = 0; b < resamples; b++) {
    const row = b * n;
    const total = order.reduce((sum, i) => sum + counts[row + i]!, 0);
    if (total > 0) found[b] = countedQuantile(order, values, counts, row, (total - 1) * at);
    if (b % rows === rows - 1) yield rows * n;
  }
  return found;
}

/** The value at a fractional position of the values that are repeated by their counts. */
function countedQuantile(
  order: Uint32Array,
  values: Float64Array,
  counts: Uint16Array,
  row: number,
  position: number,
): number {
  const below = Math.floor(position);
  let passed = 0;
  let low = Number.NaN;
  for (const i of order) {
    passed += counts[row + i]!;
    if (Number.isNaN(low) && passed > below) low = values[i]!;
    if (!Number.isNaN(low) && (passed > below + 1 || position === below))
      return low + (values[i]! - low) * (position - below);
  }
  return low;
}
