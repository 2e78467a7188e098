/**
 * Finds the dates in a text, of day, month or year precision: ISO days (with or without a time),
 * long forms ("October 7, 2023", "7 October 2023"), "October 2023", "2023".
 */

import { foreignDates } from '../../language-dates.ts';

export interface TimeMention {
  readonly start: number;
  readonly end: number;
  readonly year: number;
  /** From 1; 0 if unknown. */
  readonly month: number;
  readonly day: number;
}

export interface DateMention {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly start: number;
  readonly end: number;
}

export const MONTHS: readonly string[] =
  'january february march april may june july august september october november december'.split(
    ' ',
  );
const capitalised = MONTHS.map(name => name[0]!.toUpperCase() + name.slice(1));
/** Alternatives of a pattern: capitalised, because "may" and "march" are words too. */
export const MONTH: string = capitalised.join('|');
export const WEEKDAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
/** A day of the month, with or without the ending of an ordinal number. */
export const DAY: string = String.raw`(\d{1,2})(?:st|nd|rd|th|ST|ND|RD|TH)?`;

/** Beside a day and a year no word but a month stands, in any case. */
const ANY_CASE = [...MONTHS, ...capitalised, ...MONTHS.map(name => name.toUpperCase())].join('|');
const PATTERN = new RegExp(
  [
    String.raw`\b(\d{4})-(\d{2})-(\d{2})(?:\b|(?=T\d))`,
    String.raw`\b(${ANY_CASE}) ${DAY},? (\d{3,4})\b`,
    String.raw`\b${DAY} (?:of )?(${ANY_CASE}),? (\d{3,4})\b`,
    String.raw`\b(${MONTH}),?(?: of)? (\d{3,4})\b`,
    String.raw`\b(1\d{3}|20\d{2})(?:s\b)?(?![\d,.]*\d|\p{L})`,
    String.raw`\b(\d{3})(?= (?:AD|BC|CE|BCE)\b)`,
  ].join('|'),
  'gu',
);

/**
 * Returns all dates and years in order of position, those of other languages too; a day may be
 * impossible (February 31).
 */
export function findTimes(text: string): TimeMention[] {
  const foreign = foreignDates(text);
  if (foreign.length === 0) return englishTimes(text);
  const english = englishTimes(text).filter(
    time => !foreign.some(({ start, end }) => time.start < end && start < time.end),
  );
  return [...english, ...foreign].sort((a, b) => a.start - b.start);
}

function englishTimes(text: string): TimeMention[] {
  return [...text.matchAll(PATTERN)].map(match => {
    const [all, y1, m1, d1, name2, d2, y2, d3, name3, y3, name4, y4, alone, early] = match;
    const name = name2 ?? name3 ?? name4;
    return {
      start: match.index,
      end: match.index + all.length,
      year: Number(y1 ?? y2 ?? y3 ?? y4 ?? alone ?? early),
      month: name === undefined ? Number(m1 ?? 0) : MONTHS.indexOf(name.toLowerCase()) + 1,
      day: Number(d1 ?? d2 ?? d3 ?? 0),
    };
  });
}

/** Returns the dates of a whole day, without impossible ones and years of three digits. */
export const findDates = (text: string): DateMention[] =>
  findTimes(text).flatMap(({ start, end, year, month, day }) =>
    year >= 1000 && month >= 1 && month <= 12 && day >= 1 && day <= lastDay(year, month)
      ? [{ day: `${year}-${twoDigits(month)}-${twoDigits(day)}`, start, end }]
      : [],
  );

/** Returns the number of days of a month, which counts from 1. */
export const lastDay = (year: number, month: number): number =>
  new Date(Date.UTC(year, month, 0)).getUTCDate();

export const twoDigits = (number: number): string => String(number).padStart(2, '0');

/**
 * Returns a negative number if `a` is earlier, a positive one if it is later, and 0 if the known
 * parts do not tell.
 */
export function compareTimes(
  a: Omit<TimeMention, 'start' | 'end'>,
  b: Omit<TimeMention, 'start' | 'end'>,
): number {
  if (a.year !== b.year) return a.year - b.year;
  if (a.month === 0 || b.month === 0) return 0;
  if (a.month !== b.month) return a.month - b.month;
  return a.day === 0 || b.day === 0 ? 0 : a.day - b.day;
}
