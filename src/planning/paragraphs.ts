/** Reads hits as paragraphs, with their texts and the headings that prompts show. */
import { type Metadata, metadataText, publishedDay } from '../core/corpus/document.ts';
import type { Ranking, Unit } from '../core/ranking/ranking.ts';
import type { DataPassage } from '../core/text/passages-as-data.ts';
import type { Call } from '../core/trace/call.ts';
import type { SearchEngine } from '../search/engine.ts';
import type { Retriever } from '../search/retriever.ts';

export interface Paragraph {
  readonly id: string;
  readonly documentId: string;
  readonly title: string;
  /** Source and day, if known. */
  readonly about: string;
  readonly text: string;
  /** Range in the document, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the unit that a strategy over paragraphs searches: passages if the retriever's own unit
 * is documents.
 */
export const paragraphUnit = ({ unit }: Retriever): Unit =>
  unit === 'document' ? 'passage' : unit;

/** Returns the paragraphs of hits, in their order. */
export async function readParagraphs(
  hits: Ranking,
  engine: SearchEngine,
  call: Call,
): Promise<Paragraph[]> {
  const ids = [...new Set(hits.map(({ documentId }) => documentId))];
  if (ids.length === 0) return [];
  const documents = new Map(
    (await engine.read('document', ids, call)).map(document => [document.id, document]),
  );
  return hits.map(({ id, documentId, start, end }) => {
    const { title, metadata, text } = documents.get(documentId)!;
    const about = aboutOf(metadata);
    return { id, documentId, title, about, text: text.slice(start, end), start, end };
  });
}

/** Returns source and day of a document, if they are known. */
export const aboutOf = (metadata: Metadata): string =>
  [metadataText(metadata, 'source'), publishedDay(metadata)].filter(part => part !== '').join(', ');

/**
 * Returns the first words of a text, separated by white space; the whole text if it has no more.
 */
export function firstWords(text: string, count: number): string {
  const words = text.split(/\s+/, count + 2).filter(word => word !== '');
  return words.length <= count ? text : words.slice(0, count).join(' ');
}

/** Returns a passage with the first words of each of its parts. */
export const firstWordsOf = (
  { title, about = '', text }: DataPassage,
  words: number,
): DataPassage => ({
  title: firstWords(title, words),
  about: firstWords(about, words),
  text: firstWords(text, words),
});
