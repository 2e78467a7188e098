/** Declares documents and their spans, which are ingested and cited. */

export type MetadataValue = string | number | boolean | readonly string[];
/**
 * Named facts about a document: source, published_at, category, author, url and any others. A
 * missing fact is a missing key, never null.
 */
export type Metadata = Readonly<Record<string, MetadataValue>>;

/** Kinds of blocks; a heading's block has its own text as the last element of its path. */
export type BlockKind =
  | 'prose'
  | 'heading'
  | 'list-item'
  | 'definition'
  | 'table-row'
  | 'code'
  | 'caption'
  | 'option';

/**
 * A part of a document as its author built it: a paragraph, a list item, a table row, a piece of
 * code. It reaches to the start of the next block.
 */
export interface Block {
  /** UTF-16 offset into the document's text. */
  readonly start: number;
  /**
   * Headings above the block, outermost first, without the one that is the document's title. An
   * item of a nested list has the item above it as last element.
   */
  readonly heading: readonly string[];
  /** Prose if missing. */
  readonly kind?: BlockKind;
  /** First line of the block in its file, from 1. */
  readonly line?: number;
  /** Page of its file, from 1. */
  readonly page?: number;
  /**
   * Targets of links to other documents, `#fragment` included: paths below the folder that was read
   * (the ids of those documents), paths from the root of a site (`/guide`), `https:` addresses, and
   * labels (`ref:NAME`).
   */
  readonly links?: readonly string[];
  /** Names that the file gives the block, by which labels of links reach it. */
  readonly anchors?: readonly string[];
}

/** Most UTF-16 units of an id. */
const LONGEST_ID = 1024;

/**
 * Returns what an id must be instead, or undefined if it may name a document. Addresses lose "."
 * and ".." as parts of a path, so that no request could name such a document.
 */
export function idProblem(id: string): string | undefined {
  if (id.length > LONGEST_ID) return `an id of at most ${LONGEST_ID} characters`;
  return id === '.' || id === '..' ? 'an id other than "." and ".."' : undefined;
}

export interface Document {
  /** Unique within a store. */
  readonly id: string;
  /** May be empty. */
  readonly title: string;
  /** The body; offsets of passages, sentences and citations are UTF-16 offsets into it. */
  readonly text: string;
  readonly metadata: Metadata;
  /**
   * The blocks of the text, ascending by start, the first at 0; missing for a text without known
   * structure. Blocks are separated by a blank line.
   */
  readonly outline?: readonly Block[];
}

/** A document as callers pass it: a text, or a record with any known parts. */
export type Ingestible = string | Document | IngestibleRecord;

/** A text with the parts that are known; fields beyond these become metadata. */
export interface IngestibleRecord {
  readonly text: string;
  readonly id?: string;
  readonly title?: string;
  readonly metadata?: Metadata;
  readonly outline?: readonly Block[];
  readonly [field: string]: unknown;
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

/** Returns the language that a document states or that was found at ingest; empty for English. */
export const statedLanguage = (metadata: Metadata): string =>
  metadataText(metadata, 'language') || metadataText(metadata, 'lang');

/** Returns a metadata field as text, lists joined by ", ", or the empty string if it is missing. */
export function metadataText(metadata: Metadata, field: string): string {
  const value = metadata[field];
  if (value === undefined) return '';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
