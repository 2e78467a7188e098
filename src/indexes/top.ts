/**
 * The best k of many scored items, in the one total order: score descending, then item ascending.
 */

/** `item` is the position among the items of the index. */
export interface ScoredItem {
  readonly item: number;
  readonly score: number;
}

/** A heap of the best k so far with the worst on top. */
export class Top {
  private readonly items: number[] = [];
  private readonly scores: number[] = [];
  private readonly k: number;

  constructor(k: number) {
    this.k = k;
  }

  /**
   * Takes an item if it belongs to the best so far. Returns the score that a later item must exceed
   * to be taken, 0 while there is room.
   */
  offer(item: number, score: number): number {
    const { items, scores, k } = this;
    if (items.length < k) {
      items.push(item);
      scores.push(score);
      this.up(items.length - 1);
    } else if (this.worse(items[0]!, scores[0]!, item, score)) {
      items[0] = item;
      scores[0] = score;
      this.down();
    }
    return items.length < k ? 0 : scores[0]!;
  }

  /** The best, best first. */
  found(): ScoredItem[] {
    const found = this.items.map((item, i) => ({ item, score: this.scores[i]! }));
    return found.sort((a, b) => b.score - a.score || a.item - b.item);
  }

  /** Whether the first is worse than the second. */
  private worse(itemA: number, scoreA: number, itemB: number, scoreB: number): boolean {
    return scoreA < scoreB || (scoreA === scoreB && itemA > itemB);
  }

  private swap(i: number, j: number): void {
    const { items, scores } = this;
    [items[i], items[j]] = [items[j]!, items[i]!];
    [scores[i], scores[j]] = [scores[j]!, scores[i]!];
  }

  private up(from: number): void {
    const { items, scores } = this;
    for (
      let i = from, parent = (i - 1) >> 1;
      i > 0 && this.worse(items[i]!, scores[i]!, items[parent]!, scores[parent]!);
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
      for (const child of [2 * i + 1, 2 * i + 2]) {
        if (
          child < items.length &&
          this.worse(items[child]!, scores[child]!, items[worst]!, scores[worst]!)
        )
          worst = child;
      }
      if (worst === i) return;
      this.swap(i, worst);
      i = worst;
    }
  }
}

/** Up to this many, insertion is quicker than a heap. */
const FEW = 64;

/** The best k of the first `count` items. */
export function bestOf(
  items: Uint32Array,
  scores: Float64Array,
  count: number,
  k: number,
): ScoredItem[] {
  if (count > FEW) {
    const top = new Top(k);
    for (let i = 0; i < count; i++) top.offer(items[i]!, scores[i]!);
    return top.found();
  }
  // Insertion from the back; items ascend, so an equal score goes behind.
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
  const found: ScoredItem[] = [];
  for (let i = 0, end = Math.min(count, k); i < end; i++)
    found.push({ item: items[i]!, score: scores[i]! });
  return found;
}
