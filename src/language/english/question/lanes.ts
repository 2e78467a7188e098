/**
 * Splits a question into lanes: clauses that are searched and filled separately, each with the
 * sources and days that it names. A form of query decomposition without a model.
 */

import { blanked } from '../../../core/text/replace-spans.ts';
import { sentenceSpans } from '../../../core/text/sentences.ts';
import { type Span, SpanIndex } from '../../../core/text/span-index.ts';
import type { MetadataCatalogue } from '../../catalogue.ts';
import { findSources, type SourceMention } from '../names/source-names.ts';
import { type DayRangeMention, findDayRanges } from '../values/day-ranges.ts';
import { contentWords } from '../words/content-words.ts';

export interface Lane {
  readonly text: string;
  /** Sources of the catalogue that the lane names. */
  readonly sources: readonly string[];
  /** Days that the lane names. */
  readonly days: readonly DayRangeMention[];
}

/**
 * Boundaries: conjunctions, words of comparison or of temporal order, and punctuation outside
 * numbers. Case-sensitive: "Before Sunrise" is a name.
 */
const BOUNDARY =
  /\b(?:while|whereas|but|and|or|versus|compared (?:to|with)|in contrast to|before|after|following|since|prior to|than|yet|whether)\b|;|(?<!\d),|,(?!\d)/g;
/** Shorter parts are list items and asides. */
const MIN_WORDS = 4;
/**
 * Words that cite a report and do not describe its content; a part that contains no others is not a
 * lane. Fewer than `REPORTS`, `REPORTED` and `SAYS`, which lose lanes: 0.06 points of FactRecall on
 * MultiHop-RAG.
 */
const CITATION_WORDS = new Set(
  'according article articles report reports reported reporting published publication publications covered coverage mentioned discussed story featured featuring cited says said source sources news piece post suggest suggests indicate indicates claim claims state states'.split(
    ' ',
  ),
);
/** A longer text is not a question: only its first lanes are searched. */
const MAX_LANES = 12;
/** Least number of content words of a lane besides sources, dates and citation words. */
const MIN_OWN_WORDS = 2;

/**
 * Returns the lanes of a question: distinct, in order, at least one; the whole question if it
 * cannot be split.
 */
export function lanesOf(question: string, { sources, aliases, days }: MetadataCatalogue): Lane[] {
  const mentions = findSources(question, sources, aliases);
  const ranges = findDayRanges(question, days);
  const lanes = new Map<string, Lane>();
  // A part that only cites ("Between the report by The Verge on October 7, 2023, about ...") passes
  // its sources and days to the next lane.
  let cited: Omit<Lane, 'text'> | undefined;
  const [bySource, byDay] = [new SpanIndex(mentions), new SpanIndex(ranges)];
  const whole = new SpanIndex<Span>([...mentions, ...ranges, ...quotations(question)]);
  const bare = blanked(question, [...mentions, ...ranges]);
  for (const [start, end] of parts(question, whole)) {
    const text = question.slice(start, end);
    const scope = scopeOf(
      bySource.overlapping(start, end).filter(inside(start, end)),
      byDay.overlapping(start, end).filter(inside(start, end)),
    );
    const words = contentWords(bare.slice(start, end));
    if ([...words].filter(word => !CITATION_WORDS.has(word)).length < MIN_OWN_WORDS) {
      if (scope.sources.length > 0) cited = scope;
      continue;
    }
    if (text.split(/\s+/).length < MIN_WORDS) continue;
    lanes.set(text, { text, ...(scope.sources.length === 0 && cited ? cited : scope) });
    cited = undefined;
  }
  return lanes.size > 0
    ? [...lanes.values()].slice(0, MAX_LANES)
    : [{ text: question, ...scopeOf(mentions, ranges) }];
}

const scopeOf = (
  mentions: readonly SourceMention[],
  days: readonly DayRangeMention[],
): Omit<Lane, 'text'> => ({ sources: [...new Set(mentions.flatMap(({ names }) => names))], days });

const inside =
  (start: number, end: number) =>
  (place: Span): boolean =>
    place.start >= start && place.end <= end;

/** Returns the spans in double quotation marks: titles and quotations. */
const quotations = (question: string): Span[] =>
  Array.from(question.matchAll(/[“"][^“”"]{1,200}[”"]/g), ({ index, 0: text }) => ({
    start: index,
    end: index + text.length,
  }));

/**
 * Returns the trimmed spans between boundaries. No boundary splits a source's name, a date or a
 * quotation ("Life and Style", "October 7, 2023").
 */
function parts(question: string, whole: SpanIndex<Span>): [start: number, end: number][] {
  const spans: [number, number][] = [];
  const add = (from: number, to: number): void => {
    const text = question.slice(from, to);
    const start = from + text.length - text.trimStart().length;
    if (text.trim() !== '') spans.push([start, start + text.trim().length]);
  };
  for (const [from, to] of wholeSentences(question, whole)) {
    let start = from;
    for (const match of question.slice(from, to).matchAll(BOUNDARY)) {
      const at = from + match.index;
      if (whole.overlaps(at, at + match[0].length)) continue;
      add(start, at);
      start = at + match[0].length;
    }
    add(start, to);
  }
  return spans;
}

/**
 * Returns the sentences, joining those whose boundary is inside a source's name ("Glass! Weekly").
 */
function wholeSentences(question: string, whole: SpanIndex<Span>): [start: number, end: number][] {
  const joined: [start: number, end: number][] = [];
  for (const [start, end] of sentenceSpans(question)) {
    const last = joined.at(-1);
    if (last && spansBoundary(whole, last[1], start)) last[1] = end;
    else joined.push([start, end]);
  }
  return joined;
}

/** Returns true if a span begins before the end of one sentence and ends after the next begins. */
const spansBoundary = (whole: SpanIndex<Span>, end: number, start: number): boolean =>
  whole.overlapping(end - 1, start + 1).some(span => span.start < end && span.end > start);
