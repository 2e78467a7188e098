/**
 * Defines the laws of embedders: one unit vector per text, equal in any batch, and nearer to the
 * same words than to others.
 */

import { freeCall } from '../core/trace/call.ts';
import type { Embedder, EmbeddingRole } from '../models/embedder.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from './fixture-corpus.ts';
import { holds, type Law, law, same, throws } from './law.ts';

export interface EmbedderLawsOptions {
  /**
   * Largest Euclidean distance between vectors of one text in different batches; 1e-3 by default.
   * Quantised models pad and round by batch.
   */
  readonly tolerance?: number;
  /** Omits texts of many thousands of characters, for endpoints that reject them. */
  readonly short?: boolean;
}

const ROLES: readonly EmbeddingRole[] = ['query', 'passage'];
const TEXTS = [
  ...FIXTURE_DOCUMENTS.map(({ text }) => text),
  ...FIXTURE_QUESTIONS.map(({ text }) => text),
];
const call = freeCall();
const ODD = ['a', '?', '東京 😀', '\u0000 $& \\ "', '  spaces  '];

/**
 * Returns the laws of an embedder.
 *
 * @example
 * ```ts
 * import { embedderLaws, hashedEmbedder } from 'multihop/testing';
 *
 * for (const law of embedderLaws(hashedEmbedder())) await law.run();
 * ```
 */
export function embedderLaws(embedder: Embedder, options: EmbedderLawsOptions = {}): Law[] {
  const { tolerance = 1e-3, short = false } = options;
  return [
    law('embedder: has an id and a whole number of dimensions', () => checkIdentity(embedder)),
    law(
      'embedder: returns one vector per text, of its dimensions, finite, of length 1',
      async () => {
        const odd = short ? ODD : [...ODD, 'lighthouse '.repeat(2000)];
        for (const as of ROLES)
          for (const texts of [TEXTS, odd, TEXTS.slice(0, 1)])
            checkVectors(embedder, texts, await embedder.embed(texts, as, call));
      },
    ),
    law('embedder: returns no vectors for no texts', async () => {
      for (const as of ROLES) same((await embedder.embed([], as, call)).length, 0, as);
    }),
    law('embedder: batched, single and repeated texts have equal vectors', async () => {
      for (const as of ROLES) await checkBatches(embedder, as, tolerance);
    }),
    law('embedder: a text is nearer to itself than to any other', () => checkNearest(embedder)),
    law('embedder: rejects an aborted call', () =>
      throws(
        () => embedder.embed(['lighthouse'], 'query', freeCall(AbortSignal.abort())),
        () => true,
        'embed',
        'an error',
      ),
    ),
  ];
}

function checkIdentity({ id, dimensions }: Embedder): void {
  holds(id.length > 0, 'id', 'a name', id);
  const whole = Number.isInteger(dimensions) && dimensions > 0;
  holds(whole, 'dimensions', 'a whole number above 0', dimensions);
}

async function checkBatches(
  embedder: Embedder,
  as: EmbeddingRole,
  tolerance: number,
): Promise<void> {
  const together = await embedder.embed(TEXTS, as, call);
  for (const [index, text] of TEXTS.entries()) {
    const [alone] = await embedder.embed([text], as, call);
    const apart = distance(alone!, together[index]!);
    const what = `${as}, "${text.slice(0, 60)}"`;
    holds(apart <= tolerance, what, `at most ${tolerance} apart`, apart);
  }
}

async function checkNearest(embedder: Embedder): Promise<void> {
  // Both twins have the same text.
  const texts = FIXTURE_DOCUMENTS.filter(({ id }) => id !== 'twin-b').map(({ text }) => text);
  const rows = await embedder.embed(texts, 'passage', call);
  const reversed = await embedder.embed(texts.toReversed(), 'passage', call);
  const others = reversed.toReversed();
  for (const [index, row] of rows.entries()) {
    const distances = others.map(other => distance(row, other));
    const nearest = distances.indexOf(Math.min(...distances));
    same(nearest, index, `the nearest to "${texts[index]!.slice(0, 60)}"`);
  }
}

function checkVectors(
  embedder: Embedder,
  texts: readonly string[],
  vectors: readonly Float32Array[],
): void {
  same(vectors.length, texts.length, 'vectors');
  for (const [index, vector] of vectors.entries()) {
    const what = `"${texts[index]!.slice(0, 60)}"`;
    holds(
      vector instanceof Float32Array,
      what,
      'a Float32Array',
      Object.prototype.toString.call(vector),
    );
    same(vector.length, embedder.dimensions, `${what}, dimensions`);
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
    holds(Math.abs(length - 1) <= 1e-3, what, 'length 1', length);
  }
}

function distance(a: Float32Array, b: Float32Array): number {
  return Math.sqrt(a.reduce((sum, value, i) => sum + (value - b[i]!) ** 2, 0));
}
