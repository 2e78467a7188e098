/** A seeded sample of the questions: the same ones whatever systems are asked. */
import { InputError } from '../core/errors.ts';
import { mulberry32 } from '../core/mulberry32.ts';
import type { Example } from './example.ts';

/** The day after the last article of MultiHop-RAG, as the bootstrap's; any would do. */
export const SAMPLE_SEED = 20231226;

/** Describes a sample, for the manifest. */
export interface SampleDescription {
  readonly questions: number;
  /** Drawn from so many. */
  readonly of: number;
  readonly seed: number;
  readonly method: string;
  readonly generator: string;
}

export interface QuestionSample<T = Example> {
  readonly examples: readonly T[];
  readonly description: SampleDescription;
}

/**
 * Simple random sampling without replacement, not stratified: the first `size` places of a
 * Fisher-Yates shuffle of the file's order, so that a smaller sample of one seed is a part of every
 * larger one. Returned in the file's order. Throws `InputError('sample-too-large')`. O(n).
 */
export function sampleQuestions<T = Example>(
  all: readonly T[],
  size: number,
  seed: number = SAMPLE_SEED,
): QuestionSample<T> {
  if (!Number.isInteger(size) || size < 1 || size > all.length)
    throw new InputError('sample-too-large', 'The size of the sample', {
      expected: `a whole number from 1 to ${all.length}, the number of questions`,
      received: String(size),
    });
  const random = mulberry32(seed);
  const order = all.map((_, index) => index);
  for (let place = 0; place < size; place++) {
    const other = place + Math.floor(random() * (order.length - place));
    [order[place], order[other]] = [order[other]!, order[place]!];
  }
  const drawn = order.slice(0, size).sort((a, b) => a - b);
  return {
    examples: drawn.map(index => all[index]!),
    description: {
      questions: size,
      of: all.length,
      seed,
      method: 'simple random without replacement',
      generator: 'mulberry32',
    },
  };
}
