/**
 * Finds the dates in a text: ISO days (with or without a time) and long forms ("October 7, 2023",
 * "7 October 2023").
 */

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
/** Alternatives of a pattern: capitalised, because "may" and "march" are words too. */
export const MONTH: string = MONTHS.map(name => name[0]!.toUpperCase() + name.slice(1)).join('|');
export const WEEKDAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
/** A day of the month, with or without the ending of an ordinal number. */
export const DAY: string = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const pattern = new RegExp(
  String.raw`\b(\d{4})-(\d{2})-(\d{2})(?:\b|(?=T\d))|\b(${MONTH}) ${DAY},? (\d{4})\b|\b${DAY} (?:of )?(${MONTH}),? (\d{4})\b`,
  'gi',
);

/** Returns all dates in order of position, without impossible ones (February 31). */
export function findDates(text: string): DateMention[] {
  const dates: DateMention[] = [];
  for (const match of text.matchAll(pattern)) {
    const [all, y1, m1, d1, name2, d2, y2, d3, name3, y3] = match;
    const year = Number(y1 ?? y2 ?? y3);
    const monthNumber = m1 ? Number(m1) : MONTHS.indexOf((name2 ?? name3)!.toLowerCase()) + 1;
    const day = Number(d1 ?? d2 ?? d3);
    if (
      monthNumber < 1 ||
      monthNumber > 12 ||
      day < 1 ||
      day > new Date(Date.UTC(year, monthNumber, 0)).getUTCDate()
    )
      continue;
    const iso = `${String(year).padStart(4, '0')}-${String(monthNumber).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
    dates.push({ day: iso, start: match.index, end: match.index + all.length });
  }
  return dates;
}
