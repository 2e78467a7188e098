/** Deals questions into folds. */
import { mulberry32 } from '../../search/indexes/mulberry32.ts';
import { BOOTSTRAP } from '../resamples.ts';
import { shuffled } from './shuffled.ts';

const FOLDS = 5;

/** A fold for each of n questions: a seeded shuffle dealt out in turn. */
export function foldsOf(n: number, folds: number = FOLDS, seed: number = BOOTSTRAP.seed): number[] {
  const random = mulberry32(seed);
  const fold = new Array<number>(n);
  for (const [position, index] of shuffled(fold.keys(), random).entries())
    fold[index] = position % folds;
  return fold;
}
