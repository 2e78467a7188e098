/** The vectors of an embedder, held to its word before anybody uses or keeps them. */
import { PortError } from '../errors.ts';
import type { Call } from '../trace/call.ts';
import type { Embedder, EmbeddingRole } from './embedder.ts';

/** How far the length of a vector may be from 1: float16 and int8 models come this near. */
const LENGTH_TOLERANCE = 0.01;

/**
 * What the embedder gives, once it is checked. Throws as `checkVectors`, and the signal's reason.
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

/** As many as texts, of the embedder's dimensions, finite, of length 1. Throws `PortError`. */
export function checkVectors(
  { id, dimensions }: Embedder,
  vectors: readonly Float32Array[],
  texts: number,
): void {
  const fail = (code: string, expected: string, received: string): PortError =>
    new PortError('embedder', code, `The embedder "${id}" gave vectors that cannot be used`, {
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
