/** Declares documents and their spans, which are ingested and cited. */

export type MetadataValue = string | number | boolean | readonly string[];
/**
 * Named facts about a document: source, published_at, category, author, url and any others. A
 * missing fact is a missing key, never null.
 */
export type Metadata = Readonly<Record<string, MetadataValue>>;

export interface Document {
  /** Unique within a store. */
  readonly id: string;
  /** May be empty. */
  readonly title: string;
  /** The body; offsets of passages, sentences and citations are UTF-16 offsets into it. */
  readonly text: string;
  readonly metadata: Metadata;
}

/**
 * A span of a document, with `text === document.text.slice(start, end)`. Sentences have this shape
 * too.
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

/**
 * Returns the first ten characters of `published_at` if they are an ISO day, otherwise the empty
 * string.
 */
export function publishedDay(metadata: Metadata): string {
  const value = metadata['published_at'];
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? value.slice(0, 10) : '';
}

/** Returns a metadata field as text, lists joined by ", ", or the empty string if it is missing. */
export function metadataText(metadata: Metadata, field: string): string {
  const value = metadata[field];
  if (value === undefined) return '';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
