/** Validates the vectors of an embedder before they are used or stored. */
import { PortError } from '../core/errors.ts';
import type { Call } from '../core/trace/call.ts';
import type { Embedder, EmbeddingRole } from './embedder.ts';

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
  const fail = (code: string, expected: string, received: string): PortError =>
    new PortError('embedder', code, `The embedder "${id}" returned invalid vectors`, {
      expected,
      received,
    });
  if (vectors.length !== texts)
    throw fail('wrong-count', `${texts} vectors`, String(vectors.length));
  for (const vector of vectors) {
    if (vector.length !== dimensions)
      throw fail('wrong-dimensions', `${dimensions} dimensions`, `${vector.length} dimensions`);
    let squares = 0;
    for (const value of vector) squares += value * value;
    if (!Number.isFinite(squares))
      throw fail(
        'not-finite',
        'finite numbers',
        String(vector.find(value => !Number.isFinite(value)) ?? squares),
      );
    if (Math.abs(Math.sqrt(squares) - 1) > LENGTH_TOLERANCE)
      throw fail('not-normalised', 'vectors of length 1', `length ${Math.sqrt(squares)}`);
  }
}
