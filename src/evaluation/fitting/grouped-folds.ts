/** Assigns items to folds of similar size such that items that share a key are in one fold. */
import { mulberry32 } from '../../search/indexes/mulberry32.ts';
import { shuffled } from './shuffled.ts';

/**
 * Returns the fold of each item, from 0. Shuffles groups by the seed and puts each into the
 * smallest fold.
 */
export function groupedFolds(
  keys: readonly (readonly string[])[],
  folds: number,
  seed: number,
): Int32Array {
  const sizes = new Array<number>(folds).fill(0);
  const fold = new Int32Array(keys.length);
  for (const group of shuffled(groupsOf(keys), mulberry32(seed))) {
    const to = sizes.indexOf(Math.min(...sizes));
    sizes[to]! += group.length;
    for (const item of group) fold[item] = to;
  }
  return fold;
}

/** Returns groups of item indexes that common keys connect, directly or transitively. */
function groupsOf(keys: readonly (readonly string[])[]): number[][] {
  const above = keys.map((_, index) => index);
  const top = (index: number): number => {
    let at = index;
    while (above[at] !== at) at = above[at] = above[above[at]!]!;
    return at;
  };
  const first = new Map<string, number>();
  for (const [index, own] of keys.entries())
    for (const key of own) {
      const other = first.get(key);
      if (other === undefined) first.set(key, index);
      else above[top(index)] = top(other);
    }
  const groups = new Map<number, number[]>();
  for (const index of keys.keys())
    groups.set(top(index), [...(groups.get(top(index)) ?? []), index]);
  return [...groups.values()];
}
