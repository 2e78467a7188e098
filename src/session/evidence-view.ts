/** Shows documents and citations with title, source, date and quotes. */

import { bestSentence } from '../context/sentences.ts';
import { type Document, metadataText, publishedDay, type Span } from '../core/corpus/document.ts';
import { blockAt, headingAt, type Place, placeAt } from '../core/corpus/outline.ts';
import { defined } from '../core/defined.ts';
import { freeCall } from '../core/trace/call.ts';
import type { Citation, Trace } from '../core/trace/trace.ts';
import { isBelow } from '../readers/answer-at.ts';
import type { SearchEngine } from '../search/engine.ts';

export interface About {
  readonly documentId: string;
  readonly title: string;
  readonly source?: string;
  /** ISO day. */
  readonly date?: string;
  readonly url?: string;
  /** File that it was read from, from the working folder. */
  readonly path?: string;
}

/** Paths of files by the ids of their documents. */
export type Paths = ReadonlyMap<string, string>;
export const NO_PATHS: Paths = new Map();

/** Position of a quote in its file. */
export interface PlaceOfQuote extends Place {
  /** Headings above it, outermost first; missing if there are none. */
  readonly heading?: readonly string[];
}

export interface Quote extends PlaceOfQuote {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface ShownCitation extends About, Quote {
  readonly id: string;
}

export function aboutDocument({ id, title, metadata }: Document, paths: Paths = NO_PATHS): About {
  const source = metadataText(metadata, 'source');
  const date = publishedDay(metadata);
  const url = metadataText(metadata, 'url');
  const path = paths.get(id);
  return defined({
    documentId: id,
    title,
    source: source || undefined,
    date: date || undefined,
    url: url || undefined,
    path,
  });
}

/** Reads documents by id, from the snapshot that the run read. */
export async function documentsOf(
  ids: Iterable<string>,
  engine: SearchEngine,
): Promise<Map<string, Document>> {
  const documents = await engine.read('document', [...new Set(ids)], freeCall());
  return new Map(documents.map(document => [document.id, document]));
}

/**
 * Returns of an abstention the citations of the sides that it shows, or of the candidate that is
 * withheld for its probability; any other withheld draft is in the trace alone.
 */
export function answerCitations({ answer }: Pick<Trace, 'answer'>): readonly Citation[] {
  if (answer.kind !== 'abstained') return answer.citations;
  if (isBelow(answer)) return answer.withheld.citations;
  const all = (answer.sides ?? []).flatMap(({ citations }) => citations);
  // Claims may share a sentence.
  return [
    ...new Map(all.map(cited => [`${cited.start} ${cited.end} ${cited.id}`, cited])).values(),
  ];
}

/** Returns ids of the documents that a shown run needs. */
export const shownIds = (trace: Pick<Trace, 'answer' | 'evidence'>): string[] => [
  ...new Set([...trace.evidence, ...answerCitations(trace)].map(({ documentId }) => documentId)),
];

/** A claim of the question, with what was found on it. */
export interface ShownSide {
  readonly claim: string;
  readonly citations: readonly ShownCitation[];
}

export const showSides = (
  { answer }: Pick<Trace, 'answer'>,
  documents: ReadonlyMap<string, Document>,
  paths: Paths = NO_PATHS,
): ShownSide[] =>
  (answer.kind === 'abstained' ? (answer.sides ?? []) : []).map(({ claim, citations }) => ({
    claim,
    citations: citations.map(citation => showCitation(citation, documents, paths)),
  }));

export function showCitations(
  trace: Pick<Trace, 'answer'>,
  documents: ReadonlyMap<string, Document>,
  paths: Paths = NO_PATHS,
): ShownCitation[] {
  return answerCitations(trace).map(citation => showCitation(citation, documents, paths));
}

function showCitation(
  { id, documentId, start, end }: Citation,
  documents: ReadonlyMap<string, Document>,
  paths: Paths,
): ShownCitation {
  const document = documents.get(documentId)!;
  return { id, ...aboutDocument(document, paths), ...quote(document, start, end) };
}

/** Returns a range of a document with its place. */
export function quote(document: Document, start: number, end: number): Quote {
  return { start, end, text: document.text.slice(start, end), ...placeOfQuote(document, start) };
}

/** Returns headings, line and page of an offset, as far as they are known. */
function placeOfQuote(document: Document, start: number): PlaceOfQuote {
  const term = termAt(document, start);
  const heading = [...headingAt(document, start), ...(term === undefined ? [] : [term])];
  return defined({
    heading: heading.length > 0 ? heading : undefined,
    ...placeAt(document, start),
  });
}

/** Longest term that stands among headings. */
const TERM_CHARACTERS = 80;

/**
 * Returns the term of the definition or option that an offset lies in, past its first sentence:
 * "The default is 6." says nothing without it.
 */
function termAt(document: Document, offset: number): string | undefined {
  const block = blockAt(document, offset);
  if (block?.kind !== 'definition' && block?.kind !== 'option') return undefined;
  const end = document.text.indexOf(': ', block.start);
  if (end < 0 || end >= offset || end - block.start > TERM_CHARACTERS) return undefined;
  return document.text.slice(block.start, end).replace(/\s+/g, ' ');
}

/**
 * Returns the sentence within the spans that holds most words of the text; none if no sentence
 * holds any.
 */
export function bestQuote(text: string, document: Document, spans: readonly Span[]): Quote[] {
  const best = bestSentence(text, document, spans);
  return best ? [quote(document, best.start, best.end)] : [];
}
