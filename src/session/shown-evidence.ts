/**
 * Composes the evidence of a run as every surface shows it: what was kept is shown whole, with the
 * sentences marked that the answer cites or that support the question best.
 */
import type { Document, Span } from '../core/corpus/document.ts';
import { defined } from '../core/defined.ts';
import type { Citation, Evidence, Hop, Trace } from '../core/trace/trace.ts';
import {
  type About,
  aboutDocument,
  answerCitations,
  bestQuote,
  NO_PATHS,
  type Paths,
  type Quote,
  quote,
} from './evidence-view.ts';

export interface ShownEvidence extends About {
  readonly id: string;
  /** Number of the hop that kept it last, from 1. */
  readonly hop: number;
  readonly score: number;
  readonly spans: readonly Span[];
  /** Id of the passage that holds a kept sentence. */
  readonly passage?: string;
  /** Number of places where the hops met its text; missing for a single place. */
  readonly places?: number;
  /** True if the answer cites it; false for every item if there is no answer. */
  readonly cited: boolean;
  /** The text of each span, whole; of a document kept as a whole the parts that the reader got. */
  readonly texts: readonly Quote[];
  /**
   * The sentences of `texts` that the answer cites; without any those that a withheld candidate
   * cites, and the sentence of a longer text that supports the question best.
   */
  readonly quotes: readonly Quote[];
}

/** Returns the evidence in the order of the strategy, which is best first. */
export function showEvidence(
  trace: Trace,
  documents: ReadonlyMap<string, Document>,
  paths: Paths = NO_PATHS,
): ShownEvidence[] {
  const citations = Map.groupBy(answerCitations(trace), ({ id }) => id);
  return trace.evidence.map(item => {
    const { id, score, spans, passage, places } = item;
    const document = documents.get(item.documentId)!;
    const citing = citations.get(id) ?? [];
    const cited = citing.length > 0 && trace.answer.kind !== 'abstained';
    return defined({
      id,
      ...aboutDocument(document, paths),
      hop: hopOf(trace.hops, id),
      score,
      spans,
      passage,
      places,
      cited,
      texts: textsOf(trace, document, item),
      quotes: quotesOf({ cited, citing, question: trace.question.text }, document, item),
    });
  });
}

/** Quotes the best sentence alone of a document whose text no part of the context shows. */
function textsOf({ question, context }: Trace, document: Document, item: Evidence): Quote[] {
  if (!isWholeDocument(document, item)) return item.spans.map(span => quote(document, ...span));
  const read = context.parts
    .filter(({ documentId }) => documentId === document.id)
    .flatMap(({ spans }) => spans);
  return read.length === 0
    ? bestQuote(question.text, document, item.spans)
    : joined(read, document).map(span => quote(document, ...span));
}

const isWholeDocument = ({ id, text }: Document, { id: item, spans }: Evidence): boolean =>
  item === id && spans.length === 1 && spans[0]![0] === 0 && spans[0]![1] === text.length;

/** Joins ascending spans that overlap or have white space alone between them. */
function joined(spans: readonly Span[], { text }: Document): Span[] {
  const made: Span[] = [];
  for (const [start, end] of spans) {
    const last = made.at(-1);
    if (last && text.slice(last[1], start).trim() === '')
      made[made.length - 1] = [last[0], Math.max(last[1], end)];
    else made.push([start, end]);
  }
  return made;
}

interface Cited {
  readonly cited: boolean;
  /** Citations of the item by the answer, or by the candidate that is withheld. */
  readonly citing: readonly Citation[];
  readonly question: string;
}

/** A best sentence that is a whole text, such as a kept sentence, is no quote: it marks nothing. */
function quotesOf(
  { cited, citing, question }: Cited,
  document: Document,
  { spans }: Evidence,
): Quote[] {
  const quotes = citing.map(({ start, end }) => quote(document, start, end));
  if (cited) return quotes;
  const others = [...quotes.map(({ start, end }): Span => [start, end]), ...spans];
  const isNew = ({ start, end }: Quote): boolean =>
    !others.some(other => other[0] === start && other[1] === end);
  return [...quotes, ...bestQuote(question, document, spans).filter(isNew)];
}

const hopOf = (hops: readonly Hop[], id: string): number =>
  hops.findLastIndex(hop => hop.kept.some(item => item.id === id)) + 1;

/** A text of an article with the ranges of it that are marked, ascending and apart. */
export interface ArticleText extends PlacedText {
  readonly marks: readonly Span[];
}

interface PlacedText extends Quote {
  /** As of `ShownEvidence`. */
  readonly places?: number;
}

/** Characters of white space between neighbouring sentences and paragraphs. */
const BETWEEN = 2;

/** True if words of the document lie between two texts, the later text second. */
export const areApart = (before: Quote, text: Quote): boolean => text.start - before.end > BETWEEN;

/** Says in how many places a text stands; empty for a single place. */
export const placesWords = (places = 1): string =>
  places > 1 ? `the same text in ${places} places` : '';

/** The evidence of one article. */
export interface ShownArticle extends About {
  /** Number of the article in the evidence, from 1; answers of language models cite it. */
  readonly number: number;
  /** From 1, ascending. */
  readonly hops: readonly number[];
  readonly cited: boolean;
  /** In the order of the document; overlapping texts are joined. */
  readonly texts: readonly ArticleText[];
}

/** Groups the evidence by article: those that the answer cites first, the others best first. */
export function articlesOf(evidence: readonly ShownEvidence[]): ShownArticle[] {
  const groups = Map.groupBy(evidence, ({ documentId }) => documentId).values();
  const articles = [...groups].map((items, index) => articleOf(items, index + 1));
  return [...articles.filter(({ cited }) => cited), ...articles.filter(({ cited }) => !cited)];
}

function articleOf(items: readonly ShownEvidence[], number: number): ShownArticle {
  const { documentId, title, source, date, url, path } = items[0]!;
  const hops = [...new Set(items.map(({ hop }) => hop))].sort((a, b) => a - b);
  const cited = items.some(item => item.cited);
  const marked = items.filter(item => item.cited === cited).flatMap(({ quotes }) => quotes);
  return defined({
    documentId,
    title,
    source: source || undefined,
    date: date || undefined,
    url: url || undefined,
    path,
    number,
    hops,
    cited,
    texts: unitedTexts(items.flatMap(placedTexts)).map(text => ({
      ...text,
      marks: marksOf(text, marked),
    })),
  });
}

const placedTexts = ({ texts, places }: ShownEvidence): PlacedText[] =>
  texts.map(text => (places === undefined ? text : { ...text, places }));

function unitedTexts(texts: readonly PlacedText[]): PlacedText[] {
  const united: PlacedText[] = [];
  for (const text of [...texts].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = united.at(-1);
    if (!last || text.start >= last.end) united.push(text);
    else if (text.end > last.end)
      united[united.length - 1] = {
        ...last,
        end: text.end,
        text: last.text + text.text.slice(last.end - text.start),
      };
  }
  return united;
}

function marksOf({ start, end }: Quote, marked: readonly Quote[]): Span[] {
  const marks: Span[] = [];
  for (const mark of [...marked].sort((a, b) => a.start - b.start)) {
    const from = Math.max(start, mark.start, marks.at(-1)?.[1] ?? 0);
    const to = Math.min(end, mark.end);
    if (from < to) marks.push([from, to]);
  }
  return marks;
}

/** A part of a text that is marked, or not, as a whole. */
export interface TextPart {
  readonly text: string;
  readonly marked: boolean;
}

/** Cuts a text at its marks; the parts together are the text. */
export function partsOf({ start, text, marks }: ArticleText): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  const push = (to: number, marked: boolean): void => {
    if (to > at) parts.push({ text: text.slice(at, to), marked });
    at = Math.max(at, to);
  };
  for (const [from, to] of marks) {
    push(from - start, false);
    push(to - start, true);
  }
  push(text.length, false);
  return parts;
}
