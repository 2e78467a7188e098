/** Questions held out: in folds of like size, questions that share a hop in the same one. */
import { InputError } from '../../errors.ts';
import { mulberry32 } from '../../indexes/mulberry32.ts';
import type { TrainingExample } from './training-set.ts';

/**
 * The fold of each question, from 0 on. Questions with an update from the same paragraph to the same paragraph stand together: else a held-out
 * hop would have been learnt. Groups are shuffled by the seed and put one after the other where there is most room.
 * Throws `InputError('bad-folds')`.
 */
export function questionFolds(examples: readonly TrainingExample[], folds: number, seed: number): Int32Array {
  if (!Number.isInteger(folds) || folds < 2 || folds > examples.length)
    throw new InputError('bad-folds', 'The number of folds', {
      expected: `a whole number from 2 to ${examples.length}, the number of questions`,
      received: String(folds),
    });
  const groups = groupsOf(examples);
  const random = mulberry32(seed);
  for (let at = groups.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [groups[at], groups[other]] = [groups[other]!, groups[at]!];
  }
  const sizes = new Array<number>(folds).fill(0);
  const fold = new Int32Array(examples.length);
  for (const group of groups) {
    const to = sizes.indexOf(Math.min(...sizes));
    sizes[to]! += group.length;
    for (const example of group) fold[example] = to;
  }
  return fold;
}

/** Indices of questions that are joined by common hops, directly or through others. */
function groupsOf(examples: readonly TrainingExample[]): number[][] {
  const above = examples.map((_, index) => index);
  const top = (index: number): number => {
    while (above[index] !== index) index = above[index] = above[above[index]!]!;
    return index;
  };
  const first = new Map<string, number>();
  for (const [index, { records }] of examples.entries())
    for (const { path, positive } of records) {
      if (path.length === 0) continue;
      const hop = `${path.at(-1)} ${positive}`;
      const other = first.get(hop);
      if (other === undefined) first.set(hop, index);
      else above[top(index)] = top(other);
    }
  const groups = new Map<number, number[]>();
  for (const index of examples.keys()) groups.set(top(index), [...(groups.get(top(index)) ?? []), index]);
  return [...groups.values()];
}
