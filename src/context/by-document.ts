/**
 * Contexts that render document by document: the price of an item is what its document's part grows
 * by, so prices add up by construction.
 */
import type { Document, Span } from '../corpus/document.ts';
import { metadataText, publishedDay } from '../corpus/document.ts';
import type { SearchEngine } from '../retrieval/engine.ts';
import { countWords } from '../text/words.ts';
import type { Call } from '../trace/call.ts';
import type { ContextPart, ContextText, EvidenceItem, Question } from '../trace/trace.ts';
import type { Context } from './context.ts';

/** What is shown of a document: a line of its own, and the spans of its text, a line each. */
export interface Shown {
  /** Empty: no such line. */
  readonly header: string;
  /** Ascending; no word is in two of them. */
  readonly spans: readonly Span[];
}

/** What is shown of one document for what was kept of it: nothing only where nothing was. */
export type Show = (document: Document, kept: readonly EvidenceItem[]) => Shown;

/** Title, source and day, as the paper's snippet begins; parts that are missing are left out. */
export function headerOf(document: Document): string {
  let header = headers.get(document);
  if (header === undefined) {
    const { title, metadata } = document;
    header = [title, metadataText(metadata, 'source'), publishedDay(metadata)]
      .filter(part => part !== '')
      .join(' | ');
    headers.set(document, header);
  }
  return header;
}

/**
 * An engine that keeps its documents gives the same objects again, and every price asks for one.
 */
const headers = new WeakMap<Document, string>();

/**
 * The header and the text of each span, a line each; a document without title, source and date has
 * no header.
 */
export function linesOf(header: string, document: Document, spans: readonly Span[]): string {
  const texts = spans.map(([start, end]) => document.text.slice(start, end));
  return (header === '' ? texts : [header, ...texts]).join('\n');
}

/**
 * The spans that kept items stand for: their own, or the whole document, each cut by `cut`;
 * ascending, overlaps merged.
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

/** Kept items by document, in order of first appearance. */
function groupByDocument(kept: readonly EvidenceItem[]): Map<string, EvidenceItem[]> {
  const groups = new Map<string, EvidenceItem[]>();
  for (const item of kept) {
    const group = groups.get(item.documentId);
    if (group) group.push(item);
    else groups.set(item.documentId, [item]);
  }
  return groups;
}

/** A context from what is shown of one document's kept items. Parts are joined by an empty line. */
export function byDocument(name: string, show: Show, engine: SearchEngine, call: Call): Context {
  const documents = new Map<string, Document>();
  const read = async (id: string): Promise<Document> => {
    let document = documents.get(id);
    if (!document) {
      document = (await engine.read('document', [id], call))[0]!;
      documents.set(id, document);
    }
    return document;
  };
  const words = (document: Document, kept: readonly EvidenceItem[]): number =>
    kept.length === 0 ? 0 : wordsOf(document, show(document, kept));
  // While a strategy chooses, many items are priced for each that is kept.
  const known = new Map<string, Priced>();
  return {
    name,
    async cost(next, soFar) {
      const document = await read(next.documentId);
      const kept = soFar.filter(item => item.documentId === next.documentId);
      const before = known.get(document.id);
      const total = before && isSame(before.kept, kept) ? before.words : words(document, kept);
      known.set(document.id, { kept, words: total });
      return words(document, [...kept, next]) - total;
    },
    build: (_question: Question, kept, tokens) => buildText(name, show, read, kept, tokens),
  };
}

/** What was kept of a document, and the words of its part. */
interface Priced {
  readonly kept: readonly EvidenceItem[];
  readonly words: number;
}

const isSame = (some: readonly EvidenceItem[], others: readonly EvidenceItem[]): boolean =>
  some.length === others.length && some.every((item, at) => item === others[at]);

/** The words of what `linesOf` makes, without making it: lines share no word. */
function wordsOf(document: Document, { header, spans }: Shown): number {
  let counts = counted.get(document);
  if (!counts) counted.set(document, (counts = { headers: new Map(), spans: new Map() }));
  let words = counts.headers.get(header);
  if (words === undefined) counts.headers.set(header, (words = countWords(header)));
  for (const [start, end] of spans) {
    let span = counts.spans.get(start);
    if (span?.end !== end)
      counts.spans.set(start, (span = { end, words: countWords(document.text, start, end) }));
    words += span.words;
  }
  return words;
}

/**
 * The words of a document's headers, and of the spans that were priced, by their start: kept ones
 * are counted with each price.
 */
interface Counted {
  readonly headers: Map<string, number>;
  readonly spans: Map<number, { readonly end: number; readonly words: number }>;
}

/**
 * Questions meet the same sentences: an engine that keeps its documents gives the same objects
 * again.
 */
const counted = new WeakMap<Document, Counted>();

async function buildText(
  name: string,
  show: Show,
  read: (id: string) => Promise<Document>,
  kept: readonly EvidenceItem[],
  tokens: number,
): Promise<ContextText> {
  const parts: ContextPart[] = [];
  let text = '';
  let total = 0;
  for (const [documentId, items] of groupByDocument(kept)) {
    const document = await read(documentId);
    const { header, spans } = show(document, items);
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
