/**
 * Selects the best k of many scored items in total order: score descending, then item ascending.
 */

/** An item and its score; `item` is the item's position in the index. */
export interface ScoredItem {
  readonly item: number;
  readonly score: number;
}

/** Keeps the best k items so far in a heap with the worst on top. */
export class Top {
  private readonly items: number[] = [];
  private readonly scores: number[] = [];
  private readonly k: number;

  constructor(k: number) {
    this.k = k;
  }

  /**
   * Adds an item if it is among the best so far. Returns the score that a later item must exceed to
   * be added, or 0 until k items are held.
   */
  offer(item: number, score: number): number {
    const { items, scores, k } = this;
    if (items.length < k) {
      items.push(item);
      scores.push(score);
      this.up(items.length - 1);
    } else if (this.isWorse(items[0]!, scores[0]!, item, score)) {
      items[0] = item;
      scores[0] = score;
      this.down();
    }
    return items.length < k ? 0 : scores[0]!;
  }

  /** Returns the items, best first. */
  ranked(): ScoredItem[] {
    const ranked = this.items.map((item, i) => ({ item, score: this.scores[i]! }));
    return ranked.sort((a, b) => b.score - a.score || a.item - b.item);
  }

  /** Returns true if item A ranks behind item B. */
  private isWorse(itemA: number, scoreA: number, itemB: number, scoreB: number): boolean {
    return scoreA < scoreB || (scoreA === scoreB && itemA > itemB);
  }

  private swap(i: number, j: number): void {
    const { items, scores } = this;
    const item = items[i]!;
    const score = scores[i]!;
    items[i] = items[j]!;
    scores[i] = scores[j]!;
    items[j] = item;
    scores[j] = score;
  }

  private up(from: number): void {
    const { items, scores } = this;
    for (
      let i = from, parent = (i - 1) >> 1;
      i > 0 && this.isWorse(items[i]!, scores[i]!, items[parent]!, scores[parent]!);
      parent = (i - 1) >> 1
    ) {
      this.swap(i, parent);
      i = parent;
    }
  }

  private down(): void {
    const { items, scores } = this;
    for (let i = 0; ; ) {
      let worst = i;
      for (let child = 2 * i + 1; child <= 2 * i + 2; child++) {
        if (
          child < items.length &&
          this.isWorse(items[child]!, scores[child]!, items[worst]!, scores[worst]!)
        )
          worst = child;
      }
      if (worst === i) return;
      this.swap(i, worst);
      i = worst;
    }
  }
}

/** Most items for which insertion sort is faster than a heap. */
const FEW = 64;

/** Returns the best k of the first `count` items; may reorder both arrays. */
export function bestOf(
  items: Uint32Array,
  scores: Float64Array,
  count: number,
  k: number,
): ScoredItem[] {
  if (count > FEW) {
    const top = new Top(k);
    for (let i = 0; i < count; i++) top.offer(items[i]!, scores[i]!);
    return top.ranked();
  }
  // Inserts from the back; items ascend, so an equal score goes behind.
  for (let i = 1; i < count; i++) {
    const item = items[i]!;
    const score = scores[i]!;
    let at = i;
    for (; at > 0 && scores[at - 1]! < score; at--) {
      items[at] = items[at - 1]!;
      scores[at] = scores[at - 1]!;
    }
    items[at] = item;
    scores[at] = score;
  }
  const best: ScoredItem[] = [];
  for (let i = 0, end = Math.min(count, k); i < end; i++)
    best.push({ item: items[i]!, score: scores[i]! });
  return best;
}
