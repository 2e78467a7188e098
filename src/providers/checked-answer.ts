/** Validates the vectors and scores of model providers. */
import { describeValue } from '../core/errors.ts';
import { answerError, type ModelPort, placeOf } from './fault.ts';

export interface Expected {
  readonly port: 'embedder';
  readonly label: string;
  readonly count: number;
  /** Undefined if not known yet; all vectors have the same. */
  readonly dimensions: number | undefined;
}

/**
 * Returns the vectors scaled to length 1, in order. Throws `PortError` with the code wrong-count,
 * wrong-dimensions, not-finite, zero-vector or malformed.
 */
export function checkedVectors(
  raw: unknown,
  { port, label, count, dimensions }: Expected,
): Float32Array[] {
  if (!Array.isArray(raw))
    throw answerError(port, 'malformed', label, 'a list of vectors', typeof raw);
  if (raw.length !== count)
    throw answerError(port, 'wrong-count', label, `${count} vectors`, `${raw.length}`);
  let width = dimensions;
  return raw.map((vector: unknown, index) => {
    if (!isList(vector))
      throw answerError(
        port,
        'malformed',
        label,
        `a list of numbers as vector ${index + 1}`,
        typeof vector,
      );
    width ??= vector.length;
    if (vector.length !== width || width === 0)
      throw answerError(
        port,
        'wrong-dimensions',
        label,
        width ? `${width} dimensions` : 'at least one dimension',
        `${vector.length} in vector ${index + 1} of ${count}`,
      );
    return unit(vector, `vector ${index + 1} of ${count}`, port, label);
  });
}

function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || value instanceof Float32Array || value instanceof Float64Array;
}

/** Returns the vector divided by its Euclidean norm. */
function unit(
  vector: ArrayLike<unknown>,
  place: string,
  port: ModelPort,
  label: string,
): Float32Array {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i];
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw answerError(
        port,
        'not-finite',
        label,
        'finite numbers',
        `${describeValue(value, 20)} at ${i + 1} of ${place}`,
      );
    sum += value * value;
  }
  if (!Number.isFinite(sum))
    throw answerError(port, 'not-finite', label, 'numbers with a finite norm', place);
  if (sum === 0)
    throw answerError(port, 'zero-vector', label, 'non-zero vectors', `only zeros in ${place}`);
  const length = Math.sqrt(sum);
  return Float32Array.from(vector as ArrayLike<number>, value => value / length);
}

/**
 * Returns the scores in the order of the texts, from a ranking of `{ index, [key]: score }`. Throws
 * `PortError`: wrong-count, not-finite or malformed.
 */
export function checkedScores(
  ranking: unknown,
  count: number,
  key: string,
  label: string,
): Float32Array {
  const port = 'reranker';
  if (!Array.isArray(ranking))
    throw answerError(port, 'malformed', label, 'a list of scores', typeof ranking);
  if (ranking.length !== count)
    throw answerError(port, 'wrong-count', label, `${count} scores`, `${ranking.length}`);
  const scores = new Float32Array(count).fill(Number.NaN);
  for (const entry of ranking as unknown[]) {
    const { index, [key]: score } = (entry ?? {}) as Record<string, unknown>;
    const place = placeOf(index, count, at => !Number.isNaN(scores[at]), { port, label });
    if (typeof score !== 'number' || !Number.isFinite(Math.fround(score)))
      throw answerError(port, 'not-finite', label, `a finite "${key}"`, describeValue(score, 20));
    scores[place] = score;
  }
  return scores;
}
