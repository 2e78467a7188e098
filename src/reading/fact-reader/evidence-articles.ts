/** Reads the whole articles behind the shown sentences, as stems, and weighs stems among them. */
import type { AnalysisCache, AnalysisKind } from '../../corpus/analysis-cache.ts';
import type { Document } from '../../corpus/document.ts';
import { isMisspelling } from '../../text/one-edit.ts';
import { sentenceSpans } from '../../text/sentences.ts';
import type { FactReading } from './reading.ts';
import { topicStems } from './topic-stems.ts';

export type Stems = ReadonlySet<string>;

/** An article of the evidence. Sets hold stems of words that describe a topic. */
export interface Article {
  readonly id: string;
  readonly source: string;
  /** `YYYY-MM-DD`, or empty. */
  readonly day: string;
  /** Its title and shown sentences. */
  readonly shown: Stems;
  /** Its sentences, shown or not, and all of them with the title. */
  readonly sentences: readonly Stems[];
  readonly whole: Stems;
}

export interface Articles {
  readonly all: readonly Article[];
  /** Weighs a stem by ln(1 + (n + 1) / (1 + df)) over the n sentences of the articles. */
  weight(stem: string): number;
  /** Returns the stem as the articles spell it, if it is one likely misspelling away. */
  spelled(stem: string): string;
}

/** Estimated bytes of a stem in a set. */
const STEM_BYTES = 24;

/** The stems of a document: of its title, of each sentence, of all of them. */
interface DocumentStems {
  readonly title: Stems;
  readonly sentences: readonly Stems[];
  readonly whole: Stems;
  /** Number of sentences with each stem. */
  readonly counts: ReadonlyMap<string, number>;
}

const DOCUMENT_STEMS: AnalysisKind<DocumentStems> = {
  name: 'document-stems',
  bytes: ({ sentences, whole, counts }) =>
    STEM_BYTES * (whole.size + 2 * counts.size) +
    sentences.reduce((sum, { size }) => sum + 64 + STEM_BYTES * size, 0),
};

function stemsOf({ title, text }: Document): DocumentStems {
  const titled = topicStems(title);
  const sentences = sentenceSpans(text).map(([start, end]) => topicStems(text.slice(start, end)));
  const counts = new Map<string, number>();
  for (const stems of sentences)
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return { title: titled, sentences, whole: union([titled, counts.keys()]), counts };
}

export function articlesOf(
  { parts, sentences }: FactReading,
  documents: readonly Document[],
  analysis: AnalysisCache,
): Articles {
  const counts: ReadonlyMap<string, number>[] = [];
  const all = documents.flatMap((document): Article[] => {
    const { id } = document;
    const part = parts.find(({ documentId }) => documentId === id);
    if (!part) return [];
    const own = analysis.of(DOCUMENT_STEMS, id, () => stemsOf(document));
    const shown = sentences.filter(({ documentId }) => documentId === id);
    counts.push(own.counts);
    return [
      {
        ...{ id, source: part.source, day: part.day },
        shown: union([own.title, ...shown.map(({ stems }) => stems)]),
        ...{ sentences: own.sentences, whole: own.whole },
      },
    ];
  });
  return { all, weight: weightsOf(all, counts), spelled: stem => spelled(stem, all) };
}

function union(sets: readonly Iterable<string>[]): Set<string> {
  const all = new Set<string>();
  for (const set of sets) for (const stem of set) all.add(stem);
  return all;
}

/** Returns the weights of stems, each computed at its first use. */
function weightsOf(
  articles: readonly Article[],
  counts: readonly ReadonlyMap<string, number>[],
): (stem: string) => number {
  const size = articles.reduce((sum, { sentences }) => sum + sentences.length, 0);
  const weights = new Map<string, number>();
  return stem => {
    let weight = weights.get(stem);
    if (weight === undefined) {
      const having = counts.reduce((sum, own) => sum + (own.get(stem) ?? 0), 0);
      weights.set(stem, (weight = Math.log(1 + (size + 1) / (1 + having))));
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
