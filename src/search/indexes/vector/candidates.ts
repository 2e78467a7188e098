/**
 * Collects the rows that may be among the best k, each with a lower and an upper bound of its
 * score, so that few rows are scored exactly.
 */
import { type ScoredItem, Top } from '../../../core/ranking/top.ts';

export class Candidates {
  private readonly k: number;
  private readonly items: number[] = [];
  private readonly lowers: number[] = [];
  private readonly uppers: number[] = [];
  /** A heap of the k best lower bounds with the least on top. */
  private readonly heap: number[] = [];

  constructor(k: number) {
    this.k = k;
  }

  /**
   * Adds a row; returns the k-th best lower bound so far. At least k rows score that much, so a row
   * with a lower upper bound is not among the best k.
   */
  take(item: number, lower: number, upper: number): number {
    const { k, heap } = this;
    this.items.push(item);
    this.lowers.push(lower);
    this.uppers.push(upper);
    if (heap.length < k) {
      heap.push(lower);
      siftUp(heap, heap.length - 1);
    } else if (lower > heap[0]!) {
      heap[0] = lower;
      siftDown(heap);
    }
    return this.threshold;
  }

  /**
   * Returns the best k. Scores first the rows with the k best lower bounds, then those that may
   * reach the k-th of these scores: their number depends only on bounds and scores.
   */
  best(exact: (items: readonly number[]) => Float64Array): ScoredItem[] {
    const { items, lowers, uppers, threshold, k } = this;
    const top = new Top(k);
    const [certain, others]: number[][] = [[], []];
    for (let i = 0; i < items.length; i++) {
      if (lowers[i]! >= threshold) certain!.push(items[i]!);
      else if (uppers[i]! >= threshold) others!.push(i);
    }
    const least = offerAll(top, certain!, exact);
    // Empty unless at least k rows were scored.
    const possible = others!.filter(i => uppers[i]! >= least).map(i => items[i]!);
    offerAll(top, possible, exact);
    return top.ranked();
  }

  private get threshold(): number {
    return this.heap.length < this.k ? Number.NEGATIVE_INFINITY : this.heap[0]!;
  }
}

/** Scores items, offers them to `top`, and returns the score that another item must exceed. */
function offerAll(
  top: Top,
  items: readonly number[],
  exact: (items: readonly number[]) => Float64Array,
): number {
  const scores = exact(items);
  let least = 0;
  for (let i = 0; i < items.length; i++) least = top.offer(items[i]!, scores[i]!);
  return least;
}

function siftUp(heap: number[], at: number): void {
  const value = heap[at]!;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (heap[parent]! <= value) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = value;
}

function siftDown(heap: number[]): void {
  const value = heap[0]!;
  let at = 0;
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
    if (heap[child]! >= value) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = value;
}
