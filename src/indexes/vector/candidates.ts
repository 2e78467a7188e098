/** The rows that may be among the best k: each is known to score between a lower and an upper bound, and few have to be scored exactly. */
import { type Found, Top } from '../top.ts';

export class Candidates {
  private readonly k: number;
  private readonly items: number[] = [];
  private readonly uppers: number[] = [];
  /** A heap of the k best lower bounds, the least on top. */
  private readonly lowers: number[] = [];

  constructor(k: number) {
    this.k = k;
  }

  /** Takes a row; returns the k-th best lower bound so far: k rows score at least that, so whatever scores less is not among the best k. */
  take(item: number, lower: number, upper: number): number {
    const { k, items, uppers, lowers } = this;
    items.push(item);
    uppers.push(upper);
    if (lowers.length < k) {
      lowers.push(lower);
      siftUp(lowers, lowers.length - 1);
    } else if (lower > lowers[0]!) {
      lowers[0] = lower;
      siftDown(lowers);
    }
    return this.threshold;
  }

  /**
   * The best k. Scores exactly from the highest upper bound down, until the k-th exact score is above what the next row can reach:
   * how deep that goes depends on the bounds and the scores, never on a chosen number.
   */
  best(exact: (item: number) => number): Found[] {
    const { items, uppers, threshold, k } = this;
    const order: number[] = [];
    for (let i = 0; i < items.length; i++) if (uppers[i]! >= threshold) order.push(i);
    order.sort((a, b) => uppers[b]! - uppers[a]!);
    const top = new Top(k);
    let least = 0;
    for (let i = 0; i < order.length; i++) {
      const candidate = order[i]!;
      if (i >= k && uppers[candidate]! < least) break;
      least = top.offer(items[candidate]!, exact(items[candidate]!));
    }
    return top.found();
  }

  private get threshold(): number {
    return this.lowers.length < this.k ? Number.NEGATIVE_INFINITY : this.lowers[0]!;
  }
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
