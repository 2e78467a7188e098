/**
 * Edges between entities, and between entities and the items that mention them (HippoRAG, arXiv
 * 2405.14831 and 2502.14802). Weights are whole numbers, so that they add up exactly in any order.
 */
import type { WeightedEdges } from './adjacency.ts';
import type { Lists, Mentions } from './mentions.ts';

/** The weight of one relation: a multiple of every distance of a pair. */
export const UNIT = 840;
/** Pairs of a sentence that are joined, the nearest first, and the largest distance of one. */
const [PAIRS, FARTHEST] = [8, 8];

/** Edges as they are found. */
export class EdgeList {
  private readonly from: number[];
  private readonly to: number[];
  private readonly weights: number[];

  /** Begins with the edges of another list. */
  constructor(other?: EdgeList) {
    this.from = [...(other?.from ?? [])];
    this.to = [...(other?.to ?? [])];
    this.weights = [...(other?.weights ?? [])];
  }

  add(from: number, to: number, weight: number = UNIT): void {
    this.from.push(from);
    this.to.push(to);
    this.weights.push(weight);
  }

  /** Returns the edges without those of nodes that are left out. */
  edges(isLeftOut: (node: number) => boolean = () => false): WeightedEdges {
    const kept = Uint32Array.from(this.from.keys()).filter(
      at => !isLeftOut(this.from[at]!) && !isLeftOut(this.to[at]!),
    );
    return {
      from: kept.map(at => this.from[at]!),
      to: kept.map(at => this.to[at]!),
      weights: Float32Array.from(kept, at => this.weights[at]!),
    };
  }
}

/**
 * Joins the nearest entities of each sentence where no relation is stated: one unit, divided by how
 * many mentions they are apart. `isStated`: true for sentences that it leaves out.
 */
export function addCoOccurrences(
  list: EdgeList,
  { sequence, ends }: Mentions,
  isStated: (sentence: number) => boolean,
): void {
  for (const [sentence, end] of ends.entries()) {
    const start = sentence === 0 ? 0 : ends[sentence - 1]!;
    if (isStated(sentence)) continue;
    let left = PAIRS;
    for (let far = 1; far <= FARTHEST && left > 0; far++)
      for (let at = start; at + far < end && left > 0; at++) {
        const [first, second] = [sequence[at]!, sequence[at + far]!];
        if (first === second) continue;
        list.add(first, second, UNIT / far);
        left -= 1;
      }
  }
}

/** Returns the distinct entities of each item, ascending. `itemOf`: the item of each sentence. */
export function entitiesOfItems(
  { sequence, ends }: Mentions,
  itemOf: Uint32Array,
  items: number,
): Lists {
  const entitiesOf = Array.from({ length: items }, () => new Set<number>());
  for (let sentence = 0, at = 0; sentence < ends.length; sentence++)
    for (; at < ends[sentence]!; at++) entitiesOf[itemOf[sentence]!]!.add(sequence[at]!);
  const starts = new Uint32Array(items + 1);
  for (const [item, { size }] of entitiesOf.entries()) starts[item + 1] = starts[item]! + size;
  const all = new Uint32Array(starts[items]!);
  for (const [item, set] of entitiesOf.entries())
    all.set(Uint32Array.from(set).sort(), starts[item]);
  return { starts, items: all };
}
