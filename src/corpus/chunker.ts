/** Declares chunkers and names the passages that they cut. */
import { sentenceSpans } from '../text/sentences.ts';
import type { Document, Passage, Span } from './document.ts';

/**
 * Cuts a document into passages. Laws: spans ascend; `text` equals its slice; every character that
 * is not white space is covered; the overlap of adjacent passages stays within the chunker's limit;
 * a document without text has no passages.
 */
export interface Chunker {
  /** Canonical name, as `tokens(size=256, overlap=32)`. */
  readonly name: string;
  chunk(document: Document): Passage[];
}

/** Returns the sentences of a document, with ids `DOCUMENT#s0000`. */
export function sentencesOf(document: Document): Passage[] {
  return passagesAt(document, sentenceSpans(document.text), 's');
}

/**
 * Returns spans as passages, numbered with at least four digits and equal width within a document,
 * so that ids sort in document order.
 */
export function passagesAt(
  document: Document,
  spans: readonly Span[],
  letter: 'p' | 's' = 'p',
): Passage[] {
  const width = Math.max(4, String(Math.max(0, spans.length - 1)).length);
  return spans.map(([start, end], index) => ({
    id: `${document.id}#${letter}${String(index).padStart(width, '0')}`,
    documentId: document.id,
    start,
    end,
    text: document.text.slice(start, end),
  }));
}
