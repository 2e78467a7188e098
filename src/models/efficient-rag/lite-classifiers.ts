/**
 * Implements EfficientRAG-lite: three small networks over word features in place of the two
 * fine-tuned DeBERTa-v3-large of EfficientRAG (arXiv:2408.04259, section 3). An approximation of
 * the published system: fewer than 100,000 weights, trained in a minute from gold chains without a
 * language model.
 */
import { chunkFeatures, readChunk, readQuery } from './chunk-features.ts';
import { filterFeatures, readSentence } from './filter-features.ts';
import { type Network, probabilityOf } from './network.ts';
import type { TermWeights } from './term-weights.ts';
import type { LabeledChunk, TokenClassifiers } from './token-classifiers.ts';
import { wordFeatures } from './word-features.ts';
import type { Word } from './words.ts';

export const LITE_PARTS = ['chunks', 'words', 'filter'] as const;
export type LitePart = (typeof LITE_PARTS)[number];

/** A network and the least probability that it decides as positive. */
export interface Decision {
  readonly network: Network;
  readonly threshold: number;
}

export type LiteModel = Readonly<Record<LitePart, Decision>> & { readonly weights: TermWeights };

/** Returns token classifiers that evaluate the networks of `model`. */
export function liteClassifiers(
  { chunks, words, filter, weights }: LiteModel,
  id: string,
): TokenClassifiers {
  const marked = (
    all: readonly Word[],
    { network, threshold }: Decision,
    features: ReturnType<typeof wordFeatures>,
  ): string =>
    all
      .filter((_, index) => probabilityOf(network, features[index]!) >= threshold)
      .map(({ text }) => text)
      .join(' ');
  return {
    id,
    labeler: {
      async label(query, chunkTexts) {
        const read = readQuery(query);
        const tokenized = chunkTexts.map(readChunk);
        return chunkFeatures(read, tokenized, weights).map((features, index): LabeledChunk => {
          const useful = probabilityOf(chunks.network, features);
          if (useful < chunks.threshold) return { tag: 'TERMINATE', useful, info: '' };
          const chunk = tokenized[index]!;
          return {
            tag: 'CONTINUE',
            useful,
            info: marked(chunk.text, words, wordFeatures(read, chunk, weights)),
          };
        });
      },
    },
    filter: {
      async compose(query, infos) {
        const sentence = readSentence(query, infos);
        return marked(
          [...sentence.query, ...sentence.infos.flat()],
          filter,
          filterFeatures(sentence, weights),
        );
      },
    },
  };
}
