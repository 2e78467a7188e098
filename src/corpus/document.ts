/** What is ingested and cited: documents, and spans of them. */

export type MetadataValue = string | number | boolean | readonly string[];
/**
 * Named facts about a document: source, published_at, category, author, url and any other. A
 * missing fact is a missing key, never null.
 */
export type Metadata = Readonly<Record<string, MetadataValue>>;

export interface Document {
  /** Unique in a store. */
  readonly id: string;
  /** May be empty. */
  readonly title: string;
  /** The body; offsets of passages, sentences and citations are UTF-16 offsets into it. */
  readonly text: string;
  readonly metadata: Metadata;
}

/**
 * A span of a document: `text === document.text.slice(start, end)`, always. Sentences have the same
 * shape.
 */
export interface Passage {
  readonly id: string;
  readonly documentId: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A half-open range of UTF-16 offsets into a document's text. */
export type Span = readonly [start: number, end: number];

/** The first ten characters of `published_at` when they are an ISO day, else the empty string. */
export function publishedDay(metadata: Metadata): string {
  const value = metadata['published_at'];
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? value.slice(0, 10) : '';
}

/** A metadata field as text; the empty string when it is missing. Lists are joined by ", ". */
export function metadataText(metadata: Metadata, field: string): string {
  const value = metadata[field];
  if (value === undefined) return '';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
