/**
 * Composes the evidence of a run as every surface shows it: what was kept is shown whole, with the
 * sentences marked that the answer cites or that support the question best.
 */
import type { Document, Span } from '../core/corpus/document.ts';
import { defined } from '../core/defined.ts';
import type { Citation, Evidence, Hop, Trace } from '../core/trace/trace.ts';
import { type ComparedNames, comparedSides } from './compared-evidence.ts';
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
  /** The compared thing that it is about; missing if it is about both or neither. */
  readonly side?: string;
}

/** The evidence of a run; fields of its record. */
export interface EvidenceFields {
  /** Names of the things that the question compares; missing unless each has evidence. */
  readonly compared?: ComparedNames;
  /** In the order of the strategy, which is best first. */
  readonly evidence: readonly ShownEvidence[];
}

export function showEvidence(
  trace: Trace,
  documents: ReadonlyMap<string, Document>,
  paths: Paths = NO_PATHS,
): EvidenceFields {
  const evidence = keptEvidence(trace, documents, paths);
  const compared = comparedSides(trace, evidence, documents);
  if (compared === undefined) return { evidence };
  const { names, sides } = compared;
  const sorted = evidence.map((item): ShownEvidence => {
    const side = sides.get(item);
    return side === undefined ? item : { ...item, side };
  });
  return { compared: names, evidence: sorted };
}

function keptEvidence(
  trace: Trace,
  documents: ReadonlyMap<string, Document>,
  paths: Paths,
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

/** True unless the later text, which is second, follows the other in the document. */
export const areApart = (before: Quote, text: Quote): boolean =>
  text.start < before.end || text.start - before.end > BETWEEN;

/** Says in how many places a text stands; empty for a single place. */
export const placesWords = (places = 1): string =>
  places > 1 ? `the same text in ${places} places` : '';

/** Evidence of one article that stands together. */
export interface ShownArticle extends About {
  /** Number of the article in the evidence, from 1; answers of language models cite it. */
  readonly number: number;
  /** From 1, ascending. */
  readonly hops: readonly number[];
  readonly cited: boolean;
  /** Section by section, best first, each in the order of the document; none overlap. */
  readonly texts: readonly ArticleText[];
}

/** Evidence that is shown together: all of it, or that on one of two compared things. */
export interface ShownBlock {
  /** Missing for what is about no side alone. */
  readonly side?: string;
  readonly articles: readonly ShownArticle[];
}

/**
 * Returns what every surface shows of the evidence, in its order: of a comparison each side, then
 * the rest; in each block sections that the answer cites first, the others best first. A section is
 * what stands below one heading; an article without headings is one. Neighbouring sections of an
 * article stand together, so that an article whose sections are not neighbours is there several
 * times, under one number.
 */
export function shownBlocks({ compared, evidence }: EvidenceFields): ShownBlock[] {
  const ids = [...new Set(evidence.map(({ documentId }) => documentId))];
  return [...(compared ?? []), undefined].flatMap(side => {
    const items = evidence.filter(item => item.side === side);
    return items.length === 0 ? [] : [defined({ side, articles: articlesOf(items, ids) })];
  });
}

function articlesOf(evidence: readonly ShownEvidence[], ids: readonly string[]): ShownArticle[] {
  const rank = new Map(evidence.map((item, index) => [item, index]));
  const sections = [...Map.groupBy(evidence, ({ documentId }) => documentId)]
    .flatMap(([id, items]) => sectionsOf(items, ids.indexOf(id) + 1))
    .sort((a, b) => rank.get(a.items[0]!)! - rank.get(b.items[0]!)!);
  const inOrder = [true, false].flatMap(cited => sections.filter(each => each.cited === cited));
  const articles: Section[][] = [];
  for (const section of inOrder) {
    const [before] = articles.at(-1) ?? [];
    if (before?.number === section.number && before.cited === section.cited)
      articles.at(-1)!.push(section);
    else articles.push([section]);
  }
  return articles.map(articleOf);
}

/** The evidence below one heading of an article. */
interface Section extends Pick<ShownArticle, 'number' | 'cited' | 'texts'> {
  /** Best first. */
  readonly items: readonly ShownEvidence[];
}

function sectionsOf(evidence: readonly ShownEvidence[], number: number): Section[] {
  const united = unitedTexts(evidence.flatMap(keptTexts));
  const groups = [...Map.groupBy(united, ({ text }) => JSON.stringify(text.heading)).values()];
  // A document may be kept without a text of it that the reader got.
  if (groups.length === 0) return [{ number, items: evidence, cited: false, texts: [] }];
  return groups.map(kept => {
    const holds = (quoted: Quote): boolean => kept.some(({ text }) => overlap(text, quoted));
    // A citation of words that no text shows is one of the whole item.
    const isOutside = (quoted: Quote, { texts }: ShownEvidence): boolean =>
      !texts.some(text => overlap(text, quoted));
    const items = evidence.filter(item => kept.some(each => each.items.includes(item)));
    const cited = items.some(
      item => item.cited && item.quotes.some(each => holds(each) || isOutside(each, item)),
    );
    const marked = items.filter(item => item.cited === cited).flatMap(({ quotes }) => quotes);
    const texts = kept.map(({ text }) => ({ ...text, marks: marksOf(text, marked) }));
    return { number, items, cited, texts };
  });
}

const overlap = (one: Quote, other: Quote): boolean =>
  one.start < other.end && other.start < one.end;

function articleOf(sections: readonly Section[]): ShownArticle {
  const [{ number, cited, items }] = sections as [Section];
  const { documentId, title, source, date, url, path } = items[0]!;
  const kept = sections.flatMap(section => section.items.map(({ hop }) => hop));
  return defined({
    documentId,
    title,
    source: source || undefined,
    date: date || undefined,
    url: url || undefined,
    path,
    number,
    hops: [...new Set(kept)].sort((a, b) => a - b),
    cited,
    texts: sections.flatMap(({ texts }) => texts),
  });
}

/** A text with the items that it is of. */
interface KeptText {
  readonly text: PlacedText;
  readonly items: readonly ShownEvidence[];
}

const keptTexts = (item: ShownEvidence): KeptText[] =>
  item.texts.map(text => ({
    text: item.places === undefined ? text : { ...text, places: item.places },
    items: [item],
  }));

/** Joins texts that overlap. */
function unitedTexts(kept: readonly KeptText[]): KeptText[] {
  const united: KeptText[] = [];
  const inOrder = [...kept].sort((a, b) => a.text.start - b.text.start || b.text.end - a.text.end);
  for (const { text, items } of inOrder) {
    const last = united.at(-1);
    if (!last || text.start >= last.text.end) united.push({ text, items });
    else {
      const more = text.text.slice(Math.max(0, last.text.end - text.start));
      const end = Math.max(last.text.end, text.end);
      const joined = { ...last.text, end, text: last.text.text + more };
      united[united.length - 1] = { text: joined, items: [...last.items, ...items] };
    }
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
