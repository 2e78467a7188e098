/**
 * Finds days of a corpus by existence queries: a question needs the latest year of a month, the
 * first and the last day, and whether some document has a day, but never the list of all days.
 */

import type { Call } from '../../core/trace/call.ts';
import type { Catalogue } from '../../search/engine.ts';
import { valuesOneByOne } from '../../search/filters/all-values.ts';

export const DAYS_FIELD = 'published_at';

const DAY = /^\d{4}-\d{2}-\d{2}/;
/** Characters that sort before and after every digit, by code units. */
const [BEFORE_DIGITS, AFTER_DIGITS] = ['/', ':'];
/** Values requested at once; the first one is usually a day. */
const PAGE = 8;

/**
 * Returns the first day, the last day, and the latest day of each of the twelve months, as
 * `YYYY-MM-DD`, ascending: sufficient for `findDayRanges` to resolve dates without a year as over
 * all days. Empty if no document has a day.
 */
export async function representativeDays(engine: Catalogue, call: Call): Promise<string[]> {
  const last = await firstDay(engine, 'descending', AFTER_DIGITS, call);
  if (last === undefined) return [];
  const months = Array.from({ length: 12 }, (_, month) => String(month + 1).padStart(2, '0'));
  const days = await Promise.all([
    firstDay(engine, 'ascending', BEFORE_DIGITS, call),
    ...months.map(month => latestOf(month, last, engine, call)),
  ]);
  return [...new Set([last, ...days.filter(day => day !== undefined)])].sort();
}

/** Returns those of the days that some document has, with any time of day. */
export async function existingDays(
  days: readonly string[],
  engine: Catalogue,
  call: Call,
): Promise<string[]> {
  const matches = await Promise.all(
    days.map(prefix => engine.values(DAYS_FIELD, { prefix, order: 'ascending', limit: 1 }, call)),
  );
  return days.filter((_, index) => matches[index]!.length > 0);
}

/** Returns the first day among the values after `after`, in the given order. */
async function firstDay(
  engine: Catalogue,
  order: 'ascending' | 'descending',
  after: string,
  call: Call,
): Promise<string | undefined> {
  const request = { order, after: { value: after } };
  for await (const { value } of valuesOneByOne(engine, DAYS_FIELD, request, call, PAGE)) {
    // Every text that begins with a digit sorts between the two characters.
    if (typeof value !== 'string' || value < BEFORE_DIGITS || value >= AFTER_DIGITS)
      return undefined;
    const day = DAY.exec(value)?.[0];
    if (day !== undefined) return day;
  }
  return undefined;
}

/**
 * Searches backwards from the last day, one step for each year that has days but none in the month.
 */
async function latestOf(
  month: string,
  last: string,
  engine: Catalogue,
  call: Call,
): Promise<string | undefined> {
  let day: string | undefined = last;
  while (day !== undefined && day.slice(5, 7) !== month) {
    const year = Number(day.slice(0, 4)) - (day.slice(5, 7) > month ? 0 : 1);
    if (year < 0) return undefined;
    const bound = `${String(year).padStart(4, '0')}-${month}-${AFTER_DIGITS}`;
    day = await firstDay(engine, 'descending', bound, call);
  }
  return day;
}
