/** Finds dates of day, month or year precision in a text, and compares them. */
import { DAY, MONTH, MONTHS } from './dates.ts';

export interface TimeMention {
  readonly start: number;
  readonly end: number;
  readonly year: number;
  /** From 1; 0 if unknown. */
  readonly month: number;
  readonly day: number;
}

const PATTERN = new RegExp(
  String.raw`\b(?:${DAY} (?:of )?)?(${MONTH})(?: ${DAY})?(?:,? (\d{3,4}))\b|\b(1\d{3}|20\d{2})(?:s\b)?(?![\d,.]*\d|\p{L})|\b(\d{3})(?= (?:AD|BC|CE|BCE)\b)`,
  'gu',
);

/** Returns all dates and years in order of position. */
export function findTimes(text: string): TimeMention[] {
  return [...text.matchAll(PATTERN)].map(match => {
    const [all, before, name, after, year, alone, early] = match;
    return {
      start: match.index,
      end: match.index + all.length,
      year: Number(year ?? alone ?? early),
      month: name === undefined ? 0 : MONTHS.indexOf(name.toLowerCase()) + 1,
      day: Number(before ?? after ?? 0),
    };
  });
}

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
