/** Holds the text of a document as far as it is known: whole, or the spans that a context shows. */

import type { Document } from '../../src/core/corpus/document.ts';
import { metadataText, publishedDay, type Span } from '../../src/core/corpus/document.ts';
import { blockAt } from '../../src/core/corpus/outline.ts';
import { defined } from '../../src/core/defined.ts';
import type { ContextPart, Evidence } from '../../src/core/trace/trace.ts';
import type { RunRecord } from './run-record.ts';

/** A stretch of a document's text that is known. */
export interface Stretch {
  /** UTF-16 offset in the document. */
  readonly start: number;
  readonly text: string;
}

export interface KnownText {
  readonly title: string;
  readonly metadata: Evidence['metadata'];
  readonly outline?: Document['outline'];
  /** Ascending. */
  readonly stretches: readonly Stretch[];
  /** True if the one stretch is the whole document. */
  readonly whole: boolean;
}

export const wholeText = ({ title, metadata, outline, text }: Document): KnownText => ({
  title,
  metadata,
  outline,
  stretches: [{ start: 0, text }],
  whole: true,
});

/** Returns what the context of a run shows of the documents of its evidence, by their ids. */
export function shownTexts({ context }: RunRecord): Map<string, KnownText> {
  const known = new Map<string, KnownText>();
  if (!context) return known;
  const parts = Map.groupBy(context.context.parts, ({ documentId }) => documentId);
  for (const item of context.evidence) {
    const { documentId, title, metadata } = item;
    if (known.has(documentId)) continue;
    const stretches = (parts.get(documentId) ?? []).flatMap(part =>
      stretchesOf(part, context.context.text.slice(part.start, part.end), headerOf(item)),
    );
    stretches.sort((a, b) => a.start - b.start);
    known.set(documentId, { title, metadata, stretches, whole: false });
  }
  return known;
}

/** The first line of a part, as contexts write it. */
const headerOf = ({ title, metadata }: Evidence): string =>
  [title, metadataText(metadata, 'source'), publishedDay(metadata)].filter(Boolean).join(' | ');

/**
 * Finds the texts of the spans of a part: a line each after the header, some below a line of
 * headings. None where the lines do not fit.
 */
function stretchesOf({ spans }: ContextPart, text: string, header: string): Stretch[] {
  const hasHeader = header !== '' && (text === header || text.startsWith(`${header}\n`));
  return placed(text, hasHeader ? header.length + 1 : 0, spans, new Set()) ?? [];
}

/** `failed`: where the rest did not fit before, so that no place is tried twice. */
function placed(
  text: string,
  from: number,
  spans: readonly Span[],
  failed: Set<string>,
): Stretch[] | undefined {
  const [first, ...rest] = spans;
  if (first === undefined) return from > text.length ? [] : undefined;
  const key = `${spans.length} ${from}`;
  if (failed.has(key)) return undefined;
  const line = text.indexOf('\n', from);
  for (const at of line < 0 ? [from] : [from, line + 1]) {
    const end = at + first[1] - first[0];
    if (end > text.length || (end < text.length && text[end] !== '\n')) continue;
    const after = placed(text, end + 1, rest, failed);
    if (after) return [{ start: first[0], text: text.slice(at, end) }, ...after];
  }
  failed.add(key);
  return undefined;
}

/** Returns the text of a span; undefined where a part of it is not known. */
export function textOf({ stretches }: KnownText, start: number, end: number): string | undefined {
  const all = stretches.find(each => each.start <= start && end <= each.start + each.text.length);
  return all?.text.slice(start - all.start, end - all.start);
}

/** Says where an offset lies: headings, line and page, as far as they are known. */
export function placeWords({ outline }: Pick<KnownText, 'outline'>, offset: number): string {
  const block = blockAt(defined({ outline }), offset);
  if (!block) return '';
  return [
    block.heading.join(' › '),
    block.page === undefined ? '' : `page ${block.page}`,
    block.line === undefined ? '' : `line ${block.line}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Returns the page of an offset in its file; undefined where it is not known. */
export const pageAt = (
  { outline }: Pick<KnownText, 'outline'>,
  offset: number,
): number | undefined => blockAt(defined({ outline }), offset)?.page;

/** A mark over a text: cited by the answer, or kept as evidence. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly cited: boolean;
}

/** A piece of text under no mark, or under marks that cover it whole. */
export interface Piece {
  readonly start: number;
  readonly text: string;
  readonly marked?: 'kept' | 'cited';
}

/** Cuts a stretch at the ends of marks; where marks overlap, a cited one shows. */
export function piecesOf({ start, text }: Stretch, marks: readonly Mark[]): Piece[] {
  const end = start + text.length;
  const cuts = new Set([start, end]);
  for (const mark of marks)
    for (const at of [mark.start, mark.end]) if (at > start && at < end) cuts.add(at);
  const sorted = [...cuts].sort((a, b) => a - b);
  const pieces: Piece[] = [];
  for (const [index, from] of sorted.slice(0, -1).entries()) {
    const over = marks.filter(mark => mark.start <= from && sorted[index + 1]! <= mark.end);
    const marked = over.some(({ cited }) => cited) ? 'cited' : over.length > 0 ? 'kept' : undefined;
    const last = pieces.at(-1);
    const piece = text.slice(from - start, sorted[index + 1]! - start);
    if (last && last.marked === marked) pieces.splice(-1, 1, { ...last, text: last.text + piece });
    else pieces.push(defined({ start: from, text: piece, marked }));
  }
  return pieces;
}
