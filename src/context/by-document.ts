/**
 * Builds contexts that render one document after the other. The price of an item is the growth of
 * its document's part, so that prices add up by construction.
 */
import { type AnalysisKind, analysisOf } from '../core/corpus/analysis-cache.ts';
import type { Document, Span } from '../core/corpus/document.ts';
import { metadataText, publishedDay } from '../core/corpus/document.ts';
import { headingLine } from '../core/corpus/outline.ts';
import { countWords } from '../core/text/words.ts';
import type { Call } from '../core/trace/call.ts';
import type { ContextPart, ContextText, EvidenceItem, Question } from '../core/trace/trace.ts';
import type { SearchEngine } from '../search/engine.ts';
import type { Context } from './context.ts';

/**
 * The part of a document that a context shows: a header line, then one line for each span, below a
 * line of the headings above it where they are others than those of the span before.
 */
export interface Shown {
  /** Empty for no header line. */
  readonly header: string;
  /** Ascending; no word is in two of them. */
  readonly spans: readonly Span[];
}

/**
 * Chooses what to show of a document for the evidence kept of it: nothing only if nothing was kept.
 * `header`: as `headerOf` makes it.
 */
export type Show = (document: Document, kept: readonly EvidenceItem[], header: string) => Shown;

/** Returns title, source and day as the paper's snippet begins; leaves out missing parts. */
export function headerOf({ title, metadata }: Document): string {
  return [title, metadataText(metadata, 'source'), publishedDay(metadata)]
    .filter(part => part !== '')
    .join(' | ');
}

/**
 * Returns the header and the text of each span, a line each, and the line of headings above a span
 * whose headings differ from those before; a document without title, source and date has no header.
 */
export function linesOf(header: string, document: Document, spans: readonly Span[]): string {
  let above = '';
  const texts = spans.flatMap(([start, end]) => {
    const text = document.text.slice(start, end);
    const heading = headingLine(document, start);
    const isNew = heading !== above && heading !== '';
    above = heading;
    return isNew ? [heading, text] : [text];
  });
  return (header === '' ? texts : [header, ...texts]).join('\n');
}

/**
 * Returns the spans of kept items, or the whole document for items without spans, each cut by
 * `cut`; ascending, overlaps merged.
 */
export function keptSpans(
  document: Document,
  kept: readonly EvidenceItem[],
  cut: (span: Span) => Span = span => span,
): Span[] {
  const spans = kept.flatMap(item => item.spans ?? [[0, document.text.length] as Span]).map(cut);
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = merged.at(-1);
    if (last && span[0] <= last[1])
      merged[merged.length - 1] = [last[0], Math.max(last[1], span[1])];
    else merged.push(span);
  }
  return merged;
}

/** Groups kept items by document, in order of first appearance. */
function groupByDocument(kept: readonly EvidenceItem[]): Map<string, EvidenceItem[]> {
  const groups = new Map<string, EvidenceItem[]>();
  for (const item of kept) {
    const group = groups.get(item.documentId);
    if (group) group.push(item);
    else groups.set(item.documentId, [item]);
  }
  return groups;
}

/** Makes a context of `show`. Joins the parts of documents by an empty line. */
export function byDocument(name: string, show: Show, engine: SearchEngine, call: Call): Context {
  const analysis = analysisOf(engine);
  const documents = new Map<string, Headed>();
  const read = async (id: string): Promise<Headed> => {
    let headed = documents.get(id);
    if (!headed) {
      const document = (await engine.read('document', [id], call))[0]!;
      documents.set(id, (headed = { document, header: headerOf(document) }));
    }
    return headed;
  };
  const words = ({ document, header }: Headed, kept: readonly EvidenceItem[]): number => {
    if (kept.length === 0) return 0;
    const counts = analysis.of(WORD_COUNTS, document.id, () => emptyCounts(document));
    return wordsOf(document, show(document, kept, header), counts);
  };
  // A strategy prices many items for each one that it keeps.
  const known = new Map<string, Priced>();
  return {
    name,
    async text(item) {
      const { document } = await read(item.documentId);
      return keptSpans(document, [item])
        .map(([start, end]) => document.text.slice(start, end))
        .join('\n');
    },
    async cost(next, soFar) {
      const headed = await read(next.documentId);
      const { document } = headed;
      const kept = soFar.filter(item => item.documentId === next.documentId);
      const before = known.get(document.id);
      const total = before && isSame(before.kept, kept) ? before.words : words(headed, kept);
      known.set(document.id, { kept, words: total });
      return words(headed, [...kept, next]) - total;
    },
    build: (_question: Question, kept, tokens) => buildText(name, show, read, kept, tokens),
  };
}

/** A document and its header, read once a run. */
interface Headed {
  readonly document: Document;
  readonly header: string;
}

/** The evidence kept of a document, and the words of its part. */
interface Priced {
  readonly kept: readonly EvidenceItem[];
  readonly words: number;
}

const isSame = (some: readonly EvidenceItem[], others: readonly EvidenceItem[]): boolean =>
  some.length === others.length && some.every((item, at) => item === others[at]);

/** Counts the words of `linesOf` without building it: no word spans two lines. */
function wordsOf(document: Document, { header, spans }: Shown, counts: WordCounts): number {
  let words = counts.headers.get(header);
  if (words === undefined) counts.headers.set(header, (words = countWords(header)));
  let above = '';
  for (const [start, end] of spans) {
    const heading = headingLine(document, start);
    if (heading !== above && heading !== '') words += countWords(heading);
    above = heading;
    let span = counts.spans.get(start);
    if (span?.end !== end)
      counts.spans.set(start, (span = { end, words: countWords(document.text, start, end) }));
    words += span.words;
  }
  return words;
}

/** Counted words of a document's header lines, and of priced spans by their start. */
interface WordCounts {
  readonly headers: Map<string, number>;
  readonly spans: Map<number, { readonly end: number; readonly words: number }>;
  readonly bytes: number;
}

const WORD_COUNTS: AnalysisKind<WordCounts> = { name: 'word counts', bytes: ({ bytes }) => bytes };

/** Estimates the spans that strategies price: one of two sentences. */
const emptyCounts = ({ text }: Document): WordCounts => ({
  headers: new Map(),
  spans: new Map(),
  bytes: 256 + text.length / 2,
});

async function buildText(
  name: string,
  show: Show,
  read: (id: string) => Promise<Headed>,
  kept: readonly EvidenceItem[],
  tokens: number,
): Promise<ContextText> {
  const parts: ContextPart[] = [];
  let text = '';
  let total = 0;
  for (const [documentId, items] of groupByDocument(kept)) {
    const { document, header: first } = await read(documentId);
    const { header, spans } = show(document, items, first);
    const part = linesOf(header, document, spans);
    const cost = countWords(part);
    if (total + cost > tokens) continue;
    if (text !== '') text += '\n\n';
    parts.push({
      id: items[0]!.id,
      documentId,
      start: text.length,
      end: text.length + part.length,
      spans,
    });
    text += part;
    total += cost;
  }
  return { name, text, tokens: total, parts };
}
