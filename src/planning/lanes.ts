/**
 * Lanes: the things that a question asks for one after another, each with the sources and days that
 * it names for them.
 *
 * After query decomposition, without a model: a lane is a clause that can be asked alone
 * (bridge-claims and budgeted-agent sheets cut likewise).
 */

import { contentWords } from '../text/sentence-support.ts';
import { sentenceSpans } from '../text/sentences.ts';
import { type DayRangeMention, findDayRanges } from './metadata/day-ranges.ts';
import type { MetadataCatalogue } from './metadata/extractor.ts';
import { findSources, type SourceMention } from './metadata/source-names.ts';

export interface Lane {
  readonly text: string;
  /** Sources of the catalogue that the lane itself names. */
  readonly sources: readonly string[];
  /** Days that it names. */
  readonly days: readonly DayRangeMention[];
}

/**
 * Where one thing ends and the next begins: conjunctions, what sets two things against each other
 * or in time, and punctuation that stands in no number; not where a capital makes it part of a name
 * ("Before Sunrise").
 */
const BOUNDARY =
  /\b(?:while|whereas|but|and|or|versus|compared (?:to|with)|in contrast to|before|after|following|since|prior to|than|yet|whether)\b|;|(?<!\d),|,(?!\d)/g;
/** Shorter parts are lists and asides. */
const MIN_WORDS = 4;
/**
 * What remains of a lane that only says who reports: words that say nothing of what is reported.
 */
const CITING = new Set(
  'according article articles report reports reported reporting published publication publications covered coverage mentioned discussed story featured featuring cited says said source sources news piece post suggest suggests indicate indicates claim claims state states'.split(
    ' ',
  ),
);
/** A text of more is no question: its first clauses, and the whole of it, are asked. */
const MOST_LANES = 12;
/** A lane asks for something when it has so many words of its own. */
const MIN_OWN = 2;

/** At least one lane; the whole question alone where it cannot be cut. Each text once, in order. */
export function lanesOf(question: string, { sources, aliases, days }: MetadataCatalogue): Lane[] {
  const mentions = findSources(question, sources, aliases);
  const ranges = findDayRanges(question, days);
  const lanes = new Map<string, Lane>();
  // "Between the report by The Verge on October 7, 2023, about ..., was there ...": what only cites
  // is said of what comes next.
  let cited: Omit<Lane, 'text'> | undefined;
  for (const [start, end] of parts(question, [...mentions, ...ranges, ...quotations(question)])) {
    const text = question.slice(start, end);
    const own = named(mentions.filter(inside(start, end)), ranges.filter(inside(start, end)));
    if (ownWords(text, start, [...mentions, ...ranges]) < MIN_OWN) {
      if (own.sources.length > 0) cited = own;
      continue;
    }
    if (text.split(/\s+/).length < MIN_WORDS) continue;
    lanes.set(text, { text, ...(own.sources.length === 0 && cited ? cited : own) });
    cited = undefined;
  }
  return lanes.size > 0
    ? [...lanes.values()].slice(0, MOST_LANES)
    : [{ text: question, ...named(mentions, ranges) }];
}

/** A text that is a lane as it stands, with what it names. */
export const laneNaming = (text: string, { sources, aliases, days }: MetadataCatalogue): Lane => ({
  text,
  ...named(findSources(text, sources, aliases), findDayRanges(text, days)),
});

const named = (
  mentions: readonly SourceMention[],
  days: readonly DayRangeMention[],
): Omit<Lane, 'text'> => ({
  sources: [...new Set(mentions.flatMap(({ names }) => names))],
  days,
});

interface Place {
  readonly start: number;
  readonly end: number;
}

const inside =
  (start: number, end: number) =>
  (place: Place): boolean =>
    place.start >= start && place.end <= end;

/** What stands in double quotation marks: a title or somebody's words. */
const quotations = (question: string): Place[] =>
  Array.from(question.matchAll(/[“"][^“”"]{1,200}[”"]/g), ({ index, 0: text }) => ({
    start: index,
    end: index + text.length,
  }));

/**
 * The spans between boundaries, trimmed; no boundary cuts a source's name or a date ("Life and
 * Style", "October 7, 2023").
 */
function parts(question: string, whole: readonly Place[]): [start: number, end: number][] {
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
      if (whole.some(place => at < place.end && at + match[0].length > place.start)) continue;
      add(start, at);
      start = at + match[0].length;
    }
    add(start, to);
  }
  return spans;
}

/** Sentences, joined where one would end inside of a source's name ("Glass! Weekly"). */
function wholeSentences(question: string, whole: readonly Place[]): [start: number, end: number][] {
  const joined: [start: number, end: number][] = [];
  for (const [start, end] of sentenceSpans(question)) {
    const last = joined.at(-1);
    if (last && whole.some(place => place.start < last[1] && place.end > start)) last[1] = end;
    else joined.push([start, end]);
  }
  return joined;
}

/**
 * Content words that are neither of a source's name or a date nor of the phrases by which reports
 * are cited.
 */
function ownWords(text: string, offset: number, named: readonly Place[]): number {
  let rest = text;
  for (const { start, end } of named) {
    const [from, to] = [Math.max(0, start - offset), end - offset];
    if (to > 0 && from < text.length)
      rest =
        rest.slice(0, from) +
        ' '.repeat(Math.max(0, Math.min(to, text.length) - from)) +
        rest.slice(to);
  }
  return [...contentWords(rest)].filter(word => !CITING.has(word)).length;
}
