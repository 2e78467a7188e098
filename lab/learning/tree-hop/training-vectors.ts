/**
 * The vectors that a training run reads: of the questions and of the paragraphs of a training set,
 * row by row.
 */
import { InputError } from '../../../src/core/errors.ts';
import type { TrainingSet } from './training-set.ts';

export interface TrainingVectors {
  /** Dimensions. */
  readonly d: number;
  /** examples x d, each row of length 1. */
  readonly questions: Float32Array;
  /** paragraphs x d, each row of length 1. */
  readonly paragraphs: Float32Array;
}

/** Throws `InputError('wrong-dimensions')` where they are not those of the set. */
export function checkVectors(
  { examples, paragraphs }: Pick<TrainingSet, 'examples' | 'paragraphs'>,
  vectors: TrainingVectors,
): void {
  const rows = { questions: examples.length, paragraphs: paragraphs.length } as const;
  for (const name of ['questions', 'paragraphs'] as const)
    if (vectors[name].length !== rows[name] * vectors.d)
      throw new InputError('wrong-dimensions', `The vectors of the ${name}`, {
        expected: `${rows[name]} rows of ${vectors.d} numbers`,
        received: `${vectors[name].length} numbers`,
      });
}

export const rowOf = (values: Float32Array, row: number, d: number): Float32Array =>
  values.subarray(row * d, (row + 1) * d);
