/**
 * The laws of embedders: one unit vector a text, the same however the texts are batched, and nearer
 * for the same words than for others.
 */
import type { Embedder, EmbeddingRole } from '../models/embedder.ts';
import { freeCall } from '../trace/call.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from './fixture-corpus.ts';
import { holds, type Law, law, same, throws } from './law.ts';

export interface EmbedderLawsOptions {
  /**
   * How far a vector may move with the texts beside it, by Euclidean distance; 1e-3 when missing.
   * Quantised models are padded and rounded by batch.
   */
  readonly tolerance?: number;
  /**
   * The same tests without texts of many thousands of characters, for endpoints that refuse them.
   */
  readonly short?: boolean;
}

const ROLES: readonly EmbeddingRole[] = ['query', 'passage'];
const TEXTS = [
  ...FIXTURE_DOCUMENTS.map(({ text }) => text),
  ...FIXTURE_QUESTIONS.map(({ text }) => text),
];
const ODD = ['a', '?', '東京 😀', '\u0000 $& \\ "', '  spaces  '];

export function embedderLaws(embedder: Embedder, options: EmbedderLawsOptions = {}): Law[] {
  const { tolerance = 1e-3 } = options;
  const call = freeCall();
  return [
    law('embedder: it has an id and a whole number of dimensions', () => {
      holds(embedder.id.length > 0, 'id', 'a name', embedder.id);
      holds(
        Number.isInteger(embedder.dimensions) && embedder.dimensions > 0,
        'dimensions',
        'a whole number above 0',
        embedder.dimensions,
      );
    }),
    law('embedder: one vector a text, of its dimensions, finite, of length 1', async () => {
      const odd = options.short ? ODD : [...ODD, 'lighthouse '.repeat(2000)];
      for (const as of ROLES)
        for (const texts of [TEXTS, odd, TEXTS.slice(0, 1)])
          checkVectors(embedder, texts, await embedder.embed(texts, as, call));
    }),
    law('embedder: no texts, no vectors', async () => {
      for (const as of ROLES) same((await embedder.embed([], as, call)).length, 0, as);
    }),
    law('embedder: several texts at once are one by one, and again the same', async () => {
      for (const as of ROLES) {
        const together = await embedder.embed(TEXTS, as, call);
        for (const [index, text] of TEXTS.entries()) {
          const [alone] = await embedder.embed([text], as, call);
          const apart = distance(alone!, together[index]!);
          holds(
            apart <= tolerance,
            `${as}, "${text.slice(0, 60)}"`,
            `at most ${tolerance} apart`,
            apart,
          );
        }
      }
    }),
    law('embedder: a text is nearer to itself than to any other', async () => {
      const different = FIXTURE_DOCUMENTS.filter(({ id }) => id !== 'twin-b').map(
        ({ text }) => text,
      );
      const [rows, again] = [
        await embedder.embed(different, 'passage', call),
        await embedder.embed([...different].reverse(), 'passage', call),
      ];
      for (const [index, row] of rows.entries()) {
        const distances = again.reverse().map(other => distance(row, other));
        again.reverse();
        same(
          distances.indexOf(Math.min(...distances)),
          index,
          `the nearest to "${different[index]!.slice(0, 60)}"`,
        );
      }
    }),
    law('embedder: an aborted call is refused', () =>
      throws(
        () => embedder.embed(['lighthouse'], 'query', freeCall(AbortSignal.abort())),
        () => true,
        'embed',
        'a refusal',
      ),
    ),
  ];
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
