/** Finds the dates of a text as other languages than English write them. */
import type { LanguageTable } from './language.ts';
import { LANGUAGE_TABLES } from './tables/tables.ts';

/** A date of a language; the day is 0 if only the month is said. */
export interface LanguageDate {
  readonly start: number;
  readonly end: number;
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Returns the dates of a text as the language writes them, in order. */
export function datesIn(text: string, { dates, months }: LanguageTable): LanguageDate[] {
  const found: LanguageDate[] = [];
  for (const pattern of dates)
    for (const match of text.matchAll(pattern)) {
      const { year, month, day } = match.groups!;
      const named = months.indexOf(month!.toLowerCase()) + 1;
      const date = {
        start: match.index,
        end: match.index + match[0].length,
        year: Number(year),
        month: named > 0 ? named : Number(month),
        day: Number(day ?? 0),
      };
      const isKnown = found.some(({ start, end }) => date.start < end && start < date.end);
      if (date.month >= 1 && date.month <= 12 && date.day <= 31 && !isKnown) found.push(date);
    }
  return found.sort((a, b) => a.start - b.start);
}

/** Matches the months of all tables and the years of East Asia, without which no date stands. */
const MAY_BE_DATE = new RegExp(
  [...LANGUAGE_TABLES.flatMap(({ months }) => months), '\\d ?[年년]'].join('|'),
  'iu',
);

/** Returns the dates of a text in any language whose month or whose marks are words of it. */
export function foreignDates(text: string): LanguageDate[] {
  if (!MAY_BE_DATE.test(text)) return [];
  const found: LanguageDate[] = [];
  for (const table of LANGUAGE_TABLES)
    for (const date of datesIn(text, table)) {
      // "3/5/2020" is a day of March or of May.
      const says = /\p{L}/u.test(text.slice(date.start, date.end));
      const isKnown = found.some(({ start, end }) => date.start < end && start < date.end);
      if (says && !isKnown) found.push(date);
    }
  return found.sort((a, b) => a.start - b.start);
}
