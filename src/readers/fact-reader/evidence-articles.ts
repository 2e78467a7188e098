/** Reads the whole articles behind the shown sentences, as stems, and weighs stems among them. */
import type { AnalysisCache, AnalysisKind } from '../../core/corpus/analysis-cache.ts';
import type { Document } from '../../core/corpus/document.ts';
import { sentenceSpansOf } from '../../core/corpus/sentence-spans.ts';
import { isMisspelling } from '../../core/text/one-edit.ts';
import { topicStems, topicStemsIn } from '../../language/english/words/topic-stems.ts';
import { rarity } from '../features.ts';
import type { FactReading } from './reading.ts';

export type Stems = ReadonlySet<string>;

/** The sentences of an article that have each stem, as ascending numbers from 0. */
export type StemSentences = ReadonlyMap<string, readonly number[]>;

/** An article of the evidence. Sets hold stems of words that describe a topic. */
export interface Article {
  readonly id: string;
  readonly source: string;
  /** `YYYY-MM-DD`, or empty. */
  readonly day: string;
  /** Its title and shown sentences. */
  readonly shown: Stems;
  /** The number of its sentences, shown or not, and which of them have each stem. */
  readonly sentences: number;
  readonly having: StemSentences;
  /** Its title and all its sentences. */
  readonly whole: Stems;
}

export interface Articles {
  readonly all: readonly Article[];
  /** Weighs a stem by its rarity in the sentences of the articles. */
  weight(stem: string): number;
  /** Returns the stem as the articles spell it, if it is one likely misspelling away. */
  spelled(stem: string): string;
}

/** Estimated bytes of a stem with its list of sentences, in a map and a set. */
const STEM_BYTES = 96;
const NUMBER_BYTES = 8;

/** The stems of a document: of its title, of its sentences, of all of them. */
interface DocumentStems extends Pick<Article, 'having' | 'sentences' | 'whole'> {
  readonly title: Stems;
}

const DOCUMENT_STEMS: AnalysisKind<DocumentStems> = {
  name: 'document-stems',
  bytes({ having, whole }) {
    let bytes = STEM_BYTES * whole.size;
    for (const { length } of having.values()) bytes += NUMBER_BYTES * length;
    return bytes;
  },
};

function stemsOf(document: Document, analysis: AnalysisCache): DocumentStems {
  const title = topicStems(document.title);
  const spans = sentenceSpansOf(document, analysis);
  const having = new Map<string, number[]>();
  for (let at = 0; at < spans.length; at++)
    for (const stem of topicStemsIn(document.text.slice(...spans[at]!))) {
      const places = having.get(stem);
      if (places === undefined) having.set(stem, [at]);
      else if (places.at(-1) !== at) places.push(at);
    }
  return { title, having, sentences: spans.length, whole: union([title, having.keys()]) };
}

export function articlesOf(
  { parts, sentences }: FactReading,
  documents: readonly Document[],
  analysis: AnalysisCache,
): Articles {
  const all = documents.flatMap((document): Article[] => {
    const { id } = document;
    const part = parts.find(({ documentId }) => documentId === id);
    if (!part) return [];
    const read = analysis.of(DOCUMENT_STEMS, id, () => stemsOf(document, analysis));
    const shown = sentences.filter(({ documentId }) => documentId === id);
    return [
      {
        id,
        source: part.source,
        day: part.day,
        shown: union([read.title, ...shown.map(({ said }) => said.topics)]),
        sentences: read.sentences,
        having: read.having,
        whole: read.whole,
      },
    ];
  });
  return { all, weight: weightsOf(all), spelled: stem => spelled(stem, all) };
}

function union(sets: readonly Iterable<string>[]): Set<string> {
  const all = new Set<string>();
  for (const set of sets) for (const stem of set) all.add(stem);
  return all;
}

/** Returns the weights of stems, each computed at its first use. */
function weightsOf(articles: readonly Article[]): (stem: string) => number {
  const size = articles.reduce((sum, { sentences }) => sum + sentences, 0);
  const weights = new Map<string, number>();
  return stem => {
    let weight = weights.get(stem);
    if (weight === undefined) {
      const df = articles.reduce((sum, { having }) => sum + (having.get(stem)?.length ?? 0), 0);
      weights.set(stem, (weight = rarity(size, df)));
    }
    return weight;
  };
}

function spelled(stem: string, articles: readonly Article[]): string {
  if (articles.some(({ whole }) => whole.has(stem))) return stem;
  for (const { whole } of articles)
    for (const known of whole) if (isMisspelling(stem, known)) return known;
  return stem;
}
