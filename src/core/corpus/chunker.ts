/** Declares chunkers and names the passages that they cut. */
import { sentenceSpans } from '../text/sentences.ts';
import type { Block, Document, Passage, Span } from './document.ts';
import { blockAt } from './outline.ts';

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

/**
 * Returns the sentences of a document, with ids `DOCUMENT#s0000`. Headings are none: they stand
 * above the blocks that they head (`titleAt`); one that heads nothing is kept.
 */
export function sentencesOf(document: Document): Passage[] {
  const spans = sentenceSpans(document.text);
  return passagesAt(document, document.outline ? withoutHeadings(document, spans) : spans, 's');
}

function withoutHeadings(document: Document, spans: readonly Span[]): Span[] {
  const blocks = document.outline ?? [];
  const heads = new Set(blocks.slice(1).flatMap((next, at) => headsOf(blocks[at]!, next)));
  return spans.filter(([start]) => !heads.has(blockAt(document, start)!));
}

/** Returns the block if it is a heading under which the next one stands. */
const headsOf = (block: Block, next: Block): Block[] =>
  block.kind === 'heading' && next.heading.length >= block.heading.length ? [block] : [];

/**
 * Returns the id of an item by its place among `count` items of a document: numbered with at least
 * four digits and equal width within a document, so that ids sort in document order.
 */
export function itemId(
  documentId: string,
  place: number,
  count: number,
  letter: 'p' | 's',
): string {
  const width = Math.max(4, String(Math.max(0, count - 1)).length);
  return `${documentId}#${letter}${String(place).padStart(width, '0')}`;
}

/** Returns spans as passages. */
export function passagesAt(
  document: Document,
  spans: readonly Span[],
  letter: 'p' | 's' = 'p',
): Passage[] {
  return spans.map(([start, end], index) => ({
    id: itemId(document.id, index, spans.length, letter),
    documentId: document.id,
    start,
    end,
    text: document.text.slice(start, end),
  }));
}
