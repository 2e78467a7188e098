/** Declares the port of embedding models, which map texts to unit vectors. */
import type { Call } from '../core/trace/call.ts';
import { checkNumbers, invalidOutput } from './invalid-output.ts';

/** The role of a text: many models are trained with different prefixes for queries and passages. */
export type EmbeddingRole = 'query' | 'passage';

export interface Embedder {
  /** Names the vector space: the model and every setting that changes its vectors. */
  readonly id: string;
  readonly dimensions: number;
  /**
   * Returns one vector for each text, in order: `dimensions` long, finite, of length 1. Throws
   * `PortError` for faults of the environment.
   */
  embed(texts: readonly string[], as: EmbeddingRole, call: Call): Promise<Float32Array[]>;
}

/** Tolerance of a vector's length around 1; float16 and int8 models stay within it. */
const LENGTH_TOLERANCE = 0.01;

/**
 * Returns the validated vectors of the embedder. Throws as `checkVectors`, and the signal's reason.
 */
export async function embedChecked(
  embedder: Embedder,
  texts: readonly string[],
  as: EmbeddingRole,
  call: Call,
): Promise<Float32Array[]> {
  call.signal.throwIfAborted();
  const vectors = await embedder.embed(texts, as, call);
  call.signal.throwIfAborted();
  checkVectors(embedder, vectors, texts.length);
  return vectors;
}

/**
 * Checks that there is one vector for each text, with the embedder's dimensions, finite and of
 * length 1. Throws `PortError`.
 */
export function checkVectors(
  { id, dimensions }: Embedder,
  vectors: readonly Float32Array[],
  texts: number,
): void {
  const fail = invalidOutput('embedder', `The embedder "${id}" returned invalid vectors`);
  checkNumbers(vectors, texts, dimensions, fail);
  for (const vector of vectors) {
    let squares = 0;
    for (const value of vector) squares += value * value;
    if (!Number.isFinite(squares)) throw fail('not-finite', 'finite numbers', String(squares));
    if (Math.abs(Math.sqrt(squares) - 1) > LENGTH_TOLERANCE)
      throw fail('not-normalised', 'vectors of length 1', `length ${Math.sqrt(squares)}`);
  }
}
