/** Questions held out: in folds of like size, questions that share a hop in the same fold. */
import { InputError } from '../../../src/core/errors.ts';
import { groupedFolds } from '../../../src/evaluation/fitting/folds.ts';
import type { TrainingExample } from './training-set.ts';

/**
 * The fold of each question, from 0 on. Questions with an update from the same paragraph to the
 * same paragraph stand together: else a held-out hop would have been learnt. Groups are shuffled by
 * the seed and put one after the other where there is most room. Throws `InputError('bad-folds')`.
 */
export function questionFolds(
  examples: readonly TrainingExample[],
  folds: number,
  seed: number,
): Int32Array {
  if (!Number.isInteger(folds) || folds < 2 || folds > examples.length)
    throw new InputError('bad-folds', 'The number of folds', {
      expected: `a whole number from 2 to ${examples.length}, the number of questions`,
      received: String(folds),
    });
  return groupedFolds(
    examples.map(({ records }) =>
      records.flatMap(({ path, positive }) =>
        path.length === 0 ? [] : [`${path.at(-1)} ${positive}`],
      ),
    ),
    folds,
    seed,
  );
}
