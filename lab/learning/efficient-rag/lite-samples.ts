/**
 * Collects labelled samples for the three lite networks: chunks that a question's queries retrieve,
 * words of its gold paragraphs, words of its sentences.
 */
import type { Document } from '../../../src/core/corpus/document.ts';
import {
  chunkFeatures,
  readChunk,
  readQuery,
} from '../../../src/models/efficient-rag/chunk-features.ts';
import { filterFeatures, readSentence } from '../../../src/models/efficient-rag/filter-features.ts';
import type { LitePart } from '../../../src/models/efficient-rag/lite-classifiers.ts';
import type { TermWeights } from '../../../src/models/efficient-rag/term-weights.ts';
import { wordFeatures } from '../../../src/models/efficient-rag/word-features.ts';
import { readWords } from '../../../src/models/efficient-rag/words.ts';
import type { LiteQuestion } from './lite-data.ts';
import type { Labelled } from './network-training.ts';

export type LiteSamples = Readonly<Record<LitePart, readonly Labelled[]>>;

/** Returns, for each query, the ids of its results, the best first. */
export type FindChunks = (queries: readonly string[]) => Promise<(readonly string[])[]>;

/**
 * Least number of paragraphs of a stem with a separate weight; rarer stems, mostly names, share
 * the weight of `RARE_PARAGRAPHS`.
 */
const MIN_PARAGRAPHS = 25;
const RARE_PARAGRAPHS = 5;

/**
 * Returns the inverse document frequencies (as in BM25) of stems in at least 25 of the paragraphs.
 */
export function termWeights(documents: readonly Document[]): TermWeights {
  const counts = new Map<string, number>();
  for (const { text } of documents)
    for (const stem of new Set(readWords(text).map(word => word.stem)))
      counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const weight = (count: number): number =>
    Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
  const common = [...counts]
    .filter(([, count]) => count >= MIN_PARAGRAPHS)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    most: weight(Math.min(RARE_PARAGRAPHS, documents.length)),
    common: new Map(common.map(([stem, count]) => [stem, weight(count)])),
  };
}

/**
 * Returns the samples of a question. Chunks are those that are retrieved for the question and for
 * each filtered query, with their ranks: gold of the question, or hard negatives (the released code
 * takes the first negative only). Words are those of gold paragraphs whose useful words are known.
 */
export async function samplesOf(
  { question, lesson, gold }: LiteQuestion,
  document: (id: string) => Document,
  weights: TermWeights,
  find: FindChunks,
): Promise<LiteSamples> {
  const retrieved = await find(lesson.rounds.map(({ query }) => query));
  const chunks: Labelled[] = [];
  const words: Labelled[] = [];
  for (const [round, { query, chunks: taught }] of lesson.rounds.entries()) {
    const read = readQuery(query);
    chunks.push(...chunkSamples(query, retrieved[round]!, gold, document, weights));
    for (const { paragraph, labels } of taught) {
      if (labels === undefined) continue;
      const features = wordFeatures(read, readChunk(question.paragraphs[paragraph]!), weights);
      for (const [place, each] of features.entries())
        words.push({ features: each, label: labels[place]! });
    }
  }
  const filter = lesson.sentences.flatMap(({ query, infos, labels }) =>
    filterFeatures(readSentence(query, infos), weights).map((features, place) => ({
      features,
      label: labels[place]!,
    })),
  );
  return { chunks, words, filter };
}

/** Labels the chunks that one query retrieves, the best first, as gold of the question or not. */
function chunkSamples(
  query: string,
  ids: readonly string[],
  gold: ReadonlySet<string>,
  document: (id: string) => Document,
  weights: TermWeights,
): Labelled[] {
  const retrieved = ids.map(id => readChunk(document(id)));
  return chunkFeatures(readQuery(query), retrieved, weights).map((features, place) => ({
    features,
    label: gold.has(ids[place]!),
  }));
}
