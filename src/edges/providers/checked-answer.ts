/** What a model gave, checked before anything is done with it. */
import { describeValue } from '../../errors.ts';
import { answerError, type ModelPort } from './fault.ts';

export interface Expected {
  readonly port: 'embedder';
  readonly who: string;
  readonly count: number;
  /** Undefined: not known yet, but the same for all. */
  readonly dimensions: number | undefined;
}

/**
 * Vectors of length 1, in order. Throws `PortError` with the code wrong-count, wrong-dimensions,
 * not-finite, zero-vector or malformed.
 */
export function checkedVectors(
  raw: unknown,
  { port, who, count, dimensions }: Expected,
): Float32Array[] {
  if (!Array.isArray(raw))
    throw answerError(port, 'malformed', who, 'a list of vectors', typeof raw);
  if (raw.length !== count)
    throw answerError(port, 'wrong-count', who, `${count} vectors`, `${raw.length}`);
  let wanted = dimensions;
  return raw.map((vector: unknown, index) => {
    if (!isList(vector))
      throw answerError(
        port,
        'malformed',
        who,
        `a list of numbers as vector ${index + 1}`,
        typeof vector,
      );
    wanted ??= vector.length;
    if (vector.length !== wanted || wanted === 0)
      throw answerError(
        port,
        'wrong-dimensions',
        who,
        `${wanted || 'some'} dimensions`,
        `${vector.length} in vector ${index + 1} of ${count}`,
      );
    return unit(vector, `vector ${index + 1} of ${count}`, port, who);
  });
}

function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || value instanceof Float32Array || value instanceof Float64Array;
}

/** The vector divided by its Euclidean length. */
function unit(
  vector: ArrayLike<unknown>,
  place: string,
  port: ModelPort,
  who: string,
): Float32Array {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i];
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw answerError(
        port,
        'not-finite',
        who,
        'finite numbers',
        `${describeValue(value, 20)} at ${i + 1} of ${place}`,
      );
    sum += value * value;
  }
  if (!Number.isFinite(sum))
    throw answerError(port, 'not-finite', who, 'numbers of a length that can be told', place);
  if (sum === 0)
    throw answerError(
      port,
      'zero-vector',
      who,
      'vectors that point somewhere',
      `only zeros in ${place}`,
    );
  const length = Math.sqrt(sum);
  return Float32Array.from(vector as ArrayLike<number>, value => value / length);
}

/**
 * Scores in the order of the texts, from a ranking of `{ index, score }`. Throws `PortError`:
 * wrong-count, not-finite or malformed.
 */
export function checkedScores(
  ranking: unknown,
  count: number,
  key: string,
  who: string,
): Float32Array {
  const port = 'reranker';
  if (!Array.isArray(ranking))
    throw answerError(port, 'malformed', who, 'a list of scores', typeof ranking);
  if (ranking.length !== count)
    throw answerError(port, 'wrong-count', who, `${count} scores`, `${ranking.length}`);
  const scores = new Float32Array(count).fill(Number.NaN);
  for (const entry of ranking as unknown[]) {
    const { index, [key]: score } = (entry ?? {}) as Record<string, unknown>;
    if (
      !Number.isInteger(index) ||
      (index as number) < 0 ||
      (index as number) >= count ||
      !Number.isNaN(scores[index as number])
    )
      throw answerError(
        port,
        'malformed',
        who,
        `each index from 0 to ${count - 1} once`,
        describeValue(index, 20),
      );
    if (typeof score !== 'number' || !Number.isFinite(Math.fround(score)))
      throw answerError(port, 'not-finite', who, `a finite "${key}"`, describeValue(score, 20));
    scores[index as number] = score;
  }
  return scores;
}
