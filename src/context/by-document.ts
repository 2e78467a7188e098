/** Contexts that render document by document: the price of an item is what its document's part grows by, so prices add up by construction. */
import type { Document, Span } from '../corpus/document.ts';
import { metadataText, publishedDay } from '../corpus/document.ts';
import type { SearchEngine } from '../retrieval/engine.ts';
import { countWords } from '../text/words.ts';
import type { Call } from '../trace/call.ts';
import type { ContextPart, ContextText, Kept, Question } from '../trace/trace.ts';
import type { Context } from './context.ts';

export interface Rendered {
  readonly text: string;
  /** The spans of the document's text that `text` shows. */
  readonly spans: readonly Span[];
}

/** Renders what was kept of one document. Must be empty text only for no items. */
export type Render = (document: Document, kept: readonly Kept[]) => Rendered;

/** Title, source and day, as the paper's snippet begins; parts that are missing are left out. */
export function headerOf(document: Document): string {
  return [document.title, metadataText(document.metadata, 'source'), publishedDay(document.metadata)]
    .filter(part => part !== '')
    .join(' | ');
}

/** The header and the text of each span, a line each; a document without title, source and date has no header. */
export function linesOf(header: string, document: Document, spans: readonly Span[]): string {
  const texts = spans.map(([start, end]) => document.text.slice(start, end));
  return (header === '' ? texts : [header, ...texts]).join('\n');
}

/** The spans that kept items stand for: their own, or the whole document, each cut by `cut`; ascending, overlaps merged. */
export function keptSpans(document: Document, kept: readonly Kept[], cut: (span: Span) => Span = span => span): Span[] {
  const spans = kept.flatMap(item => item.spans ?? [[0, document.text.length] as Span]).map(cut);
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = merged.at(-1);
    if (last && span[0] <= last[1]) merged[merged.length - 1] = [last[0], Math.max(last[1], span[1])];
    else merged.push(span);
  }
  return merged;
}

/** Kept items by document, in order of first appearance. */
function groupByDocument(kept: readonly Kept[]): Map<string, Kept[]> {
  const groups = new Map<string, Kept[]>();
  for (const item of kept) {
    const group = groups.get(item.documentId);
    if (group) group.push(item);
    else groups.set(item.documentId, [item]);
  }
  return groups;
}

/** A context from a rendering of one document's kept items. Parts are joined by an empty line. */
export function byDocument(name: string, render: Render, engine: SearchEngine, call: Call): Context {
  const documents = new Map<string, Document>();
  const read = async (id: string): Promise<Document> => {
    let document = documents.get(id);
    if (!document) {
      document = (await engine.read('document', [id], call))[0]!;
      documents.set(id, document);
    }
    return document;
  };
  const words = (document: Document, kept: readonly Kept[]): number => (kept.length === 0 ? 0 : countWords(render(document, kept).text));
  return {
    name,
    async cost(next, soFar) {
      const document = await read(next.documentId);
      const before = soFar.filter(item => item.documentId === next.documentId);
      return words(document, [...before, next]) - words(document, before);
    },
    build: (_question: Question, kept, tokens) => buildText(name, render, read, kept, tokens),
  };
}

async function buildText(
  name: string,
  render: Render,
  read: (id: string) => Promise<Document>,
  kept: readonly Kept[],
  tokens: number,
): Promise<ContextText> {
  const parts: ContextPart[] = [];
  let text = '';
  let total = 0;
  for (const [documentId, items] of groupByDocument(kept)) {
    const rendered = render(await read(documentId), items);
    const cost = countWords(rendered.text);
    if (total + cost > tokens) continue;
    if (text !== '') text += '\n\n';
    parts.push({ id: items[0]!.id, documentId, start: text.length, end: text.length + rendered.text.length, spans: rendered.spans });
    text += rendered.text;
    total += cost;
  }
  return { name, text, tokens: total, parts };
}
