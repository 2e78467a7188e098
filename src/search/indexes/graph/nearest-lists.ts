/**
 * Keeps the nearest other nodes of each node while nodes are added and removed: a list depends only
 * on the scores, not on the order in which they were offered.
 */
import { inverted, type Lists, listOf } from './mentions.ts';

/** Stands in a list that is not full. */
export const NONE = 0xffffffff;

export class NearestLists {
  /** Most others of a node. */
  readonly length: number;
  /** `length` numbers a node: score descending, then ascending; `NONE` at the end. */
  readonly targets: Uint32Array;
  /** The score of each target; 0 for `NONE`. */
  readonly scores: Float64Array;

  constructor(length: number, targets: Uint32Array, scores: Float64Array) {
    [this.length, this.targets, this.scores] = [length, targets, scores];
  }

  static empty(length: number, nodes: number): NearestLists {
    const targets = new Uint32Array(length * nodes).fill(NONE);
    return new NearestLists(length, targets, new Float64Array(targets.length));
  }

  get nodes(): number {
    return this.targets.length / this.length;
  }

  /** Takes another node into a list if it is near enough. Scores of 0 and below never are. */
  offer(node: number, other: number, score: number): void {
    const { length, targets, scores } = this;
    const [first, last] = [length * node, length * (node + 1) - 1];
    if (!(score > 0) || !this.isNearer(last, other, score)) return;
    let at = last;
    for (; at > first && this.isNearer(at - 1, other, score); at--) {
      targets[at] = targets[at - 1]!;
      scores[at] = scores[at - 1]!;
    }
    targets[at] = other;
    scores[at] = score;
  }

  private isNearer(at: number, other: number, score: number): boolean {
    const held = this.scores[at]!;
    return score > held || (score === held && other < this.targets[at]!);
  }

  clear(node: number): void {
    const { length } = this;
    this.targets.fill(NONE, length * node, length * (node + 1));
    this.scores.fill(0, length * node, length * (node + 1));
  }

  /**
   * Returns the lists of nodes with other numbers, and the nodes whose lists lack one that went.
   * `numbers`: the new number of each node, below 0 if it goes; they ascend. New nodes have no list
   * yet.
   */
  renumbered(
    numbers: Int32Array,
    nodes: number,
  ): { readonly lists: NearestLists; readonly lacking: readonly number[] } {
    const { length, targets, scores } = this;
    const lists = NearestLists.empty(length, nodes);
    const lacking: number[] = [];
    for (let node = 0; node < numbers.length; node++) {
      const number = numbers[node]!;
      if (number < 0) continue;
      let next = length * number;
      let isLacking = false;
      for (let at = length * node; at < length * (node + 1); at++) {
        const target = targets[at]!;
        if (target === NONE) break;
        const moved = numbers[target]!;
        if (moved < 0) isLacking = true;
        else [lists.targets[next], lists.scores[next++]] = [moved, scores[at]!];
      }
      if (isLacking) lacking.push(number);
    }
    return { lists, lacking };
  }
}

/** Joins two nodes if either is among the nearest of the other. */
export class NearestEdges {
  private readonly lists: NearestLists;
  /** By node: those in whose lists it stands. */
  private readonly holders: Lists;

  constructor(lists: NearestLists) {
    const { length, nodes, targets } = lists;
    const starts = new Uint32Array(nodes + 1);
    const items = new Uint32Array(targets.length);
    let next = 0;
    for (let node = 0; node < nodes; node++) {
      for (let at = length * node; at < length * (node + 1) && targets[at] !== NONE; at++)
        items[next++] = targets[at]!;
      starts[node + 1] = next;
    }
    this.lists = lists;
    this.holders = inverted({ starts, items: items.subarray(0, next) }, nodes);
  }

  /** Returns the neighbours of a node, each with its score. */
  neighbours(node: number): Map<number, number> {
    const { length, targets, scores } = this.lists;
    const found = new Map<number, number>();
    for (let at = length * node; at < length * (node + 1) && targets[at] !== NONE; at++)
      found.set(targets[at]!, scores[at]!);
    for (const holder of listOf(this.holders, node)) {
      const at = targets.indexOf(node, length * holder);
      found.set(holder, scores[at]!);
    }
    return found;
  }
}
