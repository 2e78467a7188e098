/** Holds the sentences of one sub-question, and renders them as passages in document order. */
import type { Document } from '../../core/corpus/document.ts';
import type { Hit } from '../../core/ranking/ranking.ts';
import { countWords } from '../../core/text/words.ts';
import type { Citation } from '../../core/trace/trace.ts';
import { aboutOf, type Paragraph } from '../../planning/paragraphs.ts';
import type { ReadPassage } from '../../planning/sub-questions/read-passage.ts';

/** Documents by id. */
export type Documents = ReadonlyMap<string, Document>;

/** Sentences in the order in which they were added: seeds first. */
export class SentenceContext {
  readonly sentences: Hit[] = [];
  words = 0;
  private readonly ids = new Set<string>();
  private readonly most: number;

  constructor(words: number) {
    this.most = words;
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  get isFull(): boolean {
    return this.words >= this.most;
  }

  /** Returns true if a sentence of so many words is within the limit. */
  fits(words: number): boolean {
    return this.words + words <= this.most;
  }

  add(hit: Hit, words: number): void {
    this.sentences.push(hit);
    this.ids.add(hit.id);
    this.words += words;
  }
}

export const wordsOf = ({ documentId, start, end }: Hit, documents: Documents): number =>
  countWords(documents.get(documentId)!.text, start, end);

/** Returns the distinct documents of sentences, in order. */
export const documentsOf = (sentences: readonly Hit[]): string[] => [
  ...new Set(sentences.map(({ documentId }) => documentId)),
];

/**
 * Returns runs of sentences with nothing but white space between them, document after document in
 * the order of their first sentences. The id of a run is that of its first sentence.
 */
export function runsOf(sentences: readonly Hit[], documents: Documents): Paragraph[] {
  const runs: Paragraph[] = [];
  const distinct = [...new Map(sentences.map(sentence => [sentence.id, sentence])).values()];
  for (const documentId of documentsOf(distinct)) {
    const { title, text, metadata } = documents.get(documentId)!;
    const about = aboutOf(metadata);
    const inOrder = distinct
      .filter(sentence => sentence.documentId === documentId)
      .sort((a, b) => a.start - b.start);
    for (const { id, start, end } of inOrder) {
      const last = runs.at(-1);
      const follows = last?.documentId === documentId && text.slice(last.end, start).trim() === '';
      if (follows) runs.splice(-1, 1, { ...last, end, text: text.slice(last.start, end) });
      else runs.push({ id, documentId, title, about, start, end, text: text.slice(start, end) });
    }
  }
  return runs;
}

export const asReadPassages = (runs: readonly Paragraph[]): ReadPassage[] =>
  runs.filter(({ text }) => text.trim() !== '').map(({ end: _, ...passage }) => passage);

/** Names in each citation of a run the sentence that it begins in, and cuts it there. */
export function ontoSentences(
  citations: readonly Citation[],
  sentences: readonly Hit[],
): Citation[] {
  const cited = citations.flatMap(({ documentId, start, end }) => {
    const holder = sentences.find(
      sentence =>
        sentence.documentId === documentId && sentence.start < end && start < sentence.end,
    );
    if (!holder) return [];
    const { id } = holder;
    return [
      { id, documentId, start: Math.max(start, holder.start), end: Math.min(end, holder.end) },
    ];
  });
  return [...new Map(cited.map(citation => [JSON.stringify(citation), citation])).values()];
}
