/**
 * Hits as paragraphs to reason over: with their texts, and with what stands beside them in a
 * prompt.
 */
import { metadataText, publishedDay } from '../corpus/document.ts';
import type { Ranking, Unit } from '../ranking/ranking.ts';
import type { SearchEngine } from '../retrieval/engine.ts';
import type { Retriever } from '../retrieval/retriever.ts';
import type { Call } from '../trace/call.ts';
import type { DataPassage } from './passages-as-data.ts';

export interface Paragraph {
  readonly id: string;
  readonly documentId: string;
  readonly title: string;
  /** Source and day, as far as they are known. */
  readonly about: string;
  readonly text: string;
  /** Its place in the document. */
  readonly start: number;
  readonly end: number;
}

/**
 * What is searched by a strategy that reads paragraphs: passages, even where the retriever by
 * itself would return whole documents.
 */
export const paragraphUnit = ({ unit }: Retriever): Unit =>
  unit === 'document' ? 'passage' : unit;

/** The paragraphs of hits, in their order. */
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
    const about = [metadataText(metadata, 'source'), publishedDay(metadata)]
      .filter(part => part !== '')
      .join(', ');
    return { id, documentId, title, about, text: text.slice(start, end), start, end };
  });
}

/** The first words of a text, as white space parts them; the whole text where it has no more. */
export function firstWords(text: string, count: number): string {
  const words = text.split(/\s+/, count + 2).filter(word => word !== '');
  return words.length <= count ? text : words.slice(0, count).join(' ');
}

/** A paragraph as a prompt shows it. */
export const shownParagraph = ({ title, about, text }: Paragraph, words: number): DataPassage => ({
  title: firstWords(title, words),
  about: firstWords(about, words),
  text: firstWords(text, words),
});
