/**
 * Masks the topic of a question: names, sources, dates and numbers become their kind, and words of
 * its topic one mask.
 */

import { SpanIndex } from '../../../core/text/span-index.ts';
import type { MetadataCatalogue } from '../../catalogue.ts';
import { findNames } from '../names/names.ts';
import { citedSources } from '../names/source-names.ts';
import { DAY, findDates, MONTH } from '../values/dates.ts';
import { isDiscourseWord } from '../words/discourse-words.ts';

export const MASKS = {
  source: '<source>',
  date: '<date>',
  name: '<name>',
  number: '<number>',
  topic: '<topic>',
} as const;

interface Masked {
  readonly start: number;
  readonly end: number;
  readonly mask: string;
}

/**
 * Matches partial dates: "October 7", "7 October", "in November", "2023", "13:41:30".
 * Case-sensitive, so as not to match the verbs "may" and "march".
 */
const partOfDate = new RegExp(
  String.raw`\b(?:${MONTH}) ${DAY}\b|\b${DAY} (?:${MONTH})\b|\b(?:${MONTH})\b|\b(?:19|20)\d\d\b|\b\d{1,2}:\d\d(?::\d\d)?\b`,
  'g',
);

/** Returns the words in order, with one mask for each run of masks of a kind. */
export function maskedQuestion(question: string, catalogue: MetadataCatalogue): string[] {
  const masks = masksOf(question, catalogue);
  const tokens: string[] = [];
  const add = (token: string): void => {
    if (!(token.startsWith('<') && tokens.at(-1) === token)) tokens.push(token);
  };
  let at = 0;
  for (const { start, end, mask } of [
    ...masks,
    { start: question.length, end: question.length, mask: '' },
  ]) {
    for (const token of wordsOf(question.slice(at, start))) add(token);
    if (mask !== '') add(mask);
    at = end;
  }
  return tokens;
}

function masksOf(question: string, catalogue: MetadataCatalogue): Masked[] {
  const masks: Masked[] = [];
  const taken = new SpanIndex();
  const add = (
    mask: string,
    spans: Iterable<{ readonly start: number; readonly end: number }>,
  ): void => {
    for (const { start, end } of spans) {
      if (taken.overlaps(start, end)) continue;
      taken.add({ start, end });
      masks.push({ start, end, mask });
    }
  };
  const { known, unknown } = citedSources(question, catalogue);
  add(MASKS.source, known);
  add(MASKS.source, unknown);
  add(MASKS.date, findDates(question));
  add(
    MASKS.date,
    [...question.matchAll(partOfDate)].map(match => ({
      start: match.index,
      end: match.index + match[0].length,
    })),
  );
  add(
    MASKS.name,
    findNames(question).filter(name => isName(name.text)),
  );
  return masks.sort((a, b) => a.start - b.start);
}

/**
 * Returns false for a capitalised discourse word at the head of a question: "Considering",
 * "Between".
 */
const isName = (text: string): boolean => !isDiscourseWord(text.toLowerCase());

function wordsOf(text: string): string[] {
  return [
    ...text.toLowerCase().matchAll(/\p{N}[\p{N}.,]*|[\p{L}]+(?:[’'-][\p{L}]+)*|\?/gu),
  ].flatMap(([word]) => {
    if (word === '?') return [];
    if (/^\p{N}/u.test(word)) return [MASKS.number];
    const plain = word.replace(/[’']s$/u, '');
    if (plain === 's' || plain === '') return [];
    return [isDiscourseWord(plain) ? plain : MASKS.topic];
  });
}
