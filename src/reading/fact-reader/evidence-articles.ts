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

const SENTENCE_STEMS: AnalysisKind<readonly Stems[]> = {
  name: 'sentence-stems',
  bytes: sentences => sentences.reduce((sum, { size }) => sum + 64 + STEM_BYTES * size, 0),
};

export function articlesOf(
  { parts, sentences }: FactReading,
  documents: readonly Document[],
  analysis: AnalysisCache,
): Articles {
  const all = documents.flatMap(({ id, title, text }): Article[] => {
    const part = parts.find(({ documentId }) => documentId === id);
    if (!part) return [];
    const own = analysis.of(SENTENCE_STEMS, id, () =>
      sentenceSpans(text).map(([start, end]) => topicStems(text.slice(start, end))),
    );
    const titled = topicStems(title);
    const shown = sentences.filter(({ documentId }) => documentId === id);
    return [
      {
        ...{ id, source: part.source, day: part.day, sentences: own },
        shown: union([titled, ...shown.map(({ stems }) => stems)]),
        whole: union([titled, ...own]),
      },
    ];
  });
  return { all, weight: weightsOf(all), spelled: stem => spelled(stem, all) };
}

function union(sets: readonly Stems[]): Set<string> {
  const all = new Set<string>();
  for (const set of sets) for (const stem of set) all.add(stem);
  return all;
}

function weightsOf(articles: readonly Article[]): (stem: string) => number {
  const all = articles.flatMap(({ sentences }) => sentences);
  const counts = new Map<string, number>();
  for (const stems of all) for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return stem => Math.log(1 + (all.length + 1) / (1 + (counts.get(stem) ?? 0)));
}

function spelled(stem: string, articles: readonly Article[]): string {
  if (articles.some(({ whole }) => whole.has(stem))) return stem;
  for (const { whole } of articles)
    for (const known of whole) if (isMisspelling(stem, known)) return known;
  return stem;
}
