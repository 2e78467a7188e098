/**
 * Finds days and ranges of days in a question: full dates, "October 7", "in November", "between ...
 * and ...", before, after, since, until.
 */
import { type Span, SpanIndex } from '../../../core/text/span-index.ts';
import { DAY, findTimes, lastDay, MONTH, MONTHS, twoDigits } from './dates.ts';

/** Days as `YYYY-MM-DD`, both ends inclusive; a missing end is open. */
export interface DayRange {
  readonly from?: string;
  readonly to?: string;
}

export interface DayRangeMention extends DayRange {
  readonly start: number;
  readonly end: number;
}

/** A date in the text, before its year is resolved and its neighbours are read. */
interface Point {
  readonly start: number;
  readonly end: number;
  readonly year?: number;
  /** 1 to 12. */
  readonly month: number;
  /** Undefined for the whole month. */
  readonly day?: number;
}

const monthAndDay = new RegExp(
  String.raw`\b(${MONTH}) ${DAY}\b|\b${DAY} (?:of )?(${MONTH})\b`,
  'g',
);
// "May" and "March" are words too: a month alone counts only after a preposition of time.
const monthAlone = new RegExp(
  String.raw`(?<=\b(?:in|during|since|until|till|before|after|by|throughout|between|from|and|to|of) (?:early |mid-|late )?)(${MONTH})\b`,
  'g',
);

/**
 * Matches a second day without its month: "between October 7 and 9, 2023", "October 7-9", "from 7
 * to 9 October".
 */
const dayAfter = new RegExp(
  String.raw`^(,? (?:and|to|through|until|till) | ?[-–] ?)${DAY}(?:,? (\d{4}))?(?![\w:%]|[.,]\d)`,
);
const dayPreceding = new RegExp(
  String.raw`\b(?:between ${DAY} and|from ${DAY} (?:to|through|until|till)) $`,
  'i',
);

/** Number of UTF-16 units before and after a date that the rules read. */
const NEAR = 30;

/**
 * Returns all mentions in order of position. `known`: days of the corpus, ascending. A mention
 * without a year gets the latest year that has its month, and is dropped if there is none.
 */
export function findDayRanges(text: string, known: readonly string[]): DayRangeMention[] {
  const points = findPoints(text);
  const mentions: DayRangeMention[] = [];
  for (let index = 0; index < points.length; index++) {
    const point = points[index]!;
    const next = points[index + 1];
    const before = text.slice(Math.max(0, point.start - NEAR), point.start);
    const joined =
      next && joins(before, text.slice(point.end, next.start))
        ? ([point, next] as const)
        : sameMonth(text, point, next, before);
    const range = joined && rangeBetween(joined, known);
    if (range) {
      mentions.push({ ...range, start: point.start, end: joined[1].end });
      if (joined[1] === next) index++;
      continue;
    }
    const whole = rangeOf(point, known);
    if (whole) mentions.push({ ...directed(whole, before), start: point.start, end: point.end });
  }
  return openEndsTogether(text, mentions);
}

/** Returns both ends of a range if the other day of the point's month precedes or follows it. */
function sameMonth(
  text: string,
  point: Point,
  next: Point | undefined,
  before: string,
): readonly [Point, Point] | undefined {
  if (point.day === undefined) return undefined;
  const earlier = dayPreceding.exec(before);
  if (earlier) return [{ ...point, day: Number(earlier[1] ?? earlier[2]) }, point];
  const later =
    point.year === undefined ? dayAfter.exec(text.slice(point.end, point.end + NEAR)) : null;
  if (!later || !(/[-–]/.test(later[1]!) || joins(before, later[1]!))) return undefined;
  const end = point.end + later[0].length;
  if (next && next.start < end) return undefined;
  return [
    point,
    {
      ...point,
      end,
      day: Number(later[2]),
      year: later[3] === undefined ? undefined : Number(later[3]),
    },
  ];
}

/** Joins two points. A first one without a year gets the year of the last. */
function rangeBetween(
  [first, last]: readonly [Point, Point],
  known: readonly string[],
): Required<DayRange> | undefined {
  const end = rangeOf(last, known);
  const begin = rangeOf(
    first.year === undefined && last.year !== undefined ? { ...first, year: last.year } : first,
    known,
  );
  return begin && end && begin.from <= end.to ? { from: begin.from, to: end.to } : undefined;
}

/**
 * Joins two open ranges: "after October 7 and before November 3" is one range; as alternatives the
 * two would pass every day.
 */
function openEndsTogether(text: string, mentions: readonly DayRangeMention[]): DayRangeMention[] {
  const together: DayRangeMention[] = [];
  for (const mention of mentions) {
    const last = together.at(-1);
    const { from, to } = last ? openEnds(last, mention) : {};
    if (
      last &&
      from !== undefined &&
      to !== undefined &&
      from <= to &&
      BOTH.test(text.slice(last.end, mention.start))
    )
      together[together.length - 1] = { from, to, start: last.start, end: mention.end };
    else together.push(mention);
  }
  return together;
}

/** Returns the start of one range and the end of the other, if each is open at the other end. */
function openEnds(a: DayRange, b: DayRange): DayRange {
  if (a.to === undefined && b.from === undefined) return { ...a, ...b };
  return a.from === undefined && b.to === undefined ? { ...a, ...b } : {};
}

const BOTH =
  /^,? (?:and|but) (?:before|prior to|earlier than|by|until|till|up to|after|later than|since) $/i;

const joins = (before: string, between: string): boolean =>
  (/\bbetween\s+$/i.test(before) && /^,? and $/i.test(between)) ||
  (/\bfrom\s+$/i.test(before) && /^,? (?:to|through|until|till) $/i.test(between));

/**
 * Opens one end of a range by the preposition before the date. The day itself is always included,
 * because dates differ by time zone and a filter must not lose evidence.
 */
function directed({ from, to }: Required<DayRange>, before: string): DayRange {
  if (/\b(?:before|prior to|earlier than|by|until|till|up to)\s+$/i.test(before)) return { to };
  if (/\b(?:after|later than|since)\s+$/i.test(before)) return { from };
  return { from, to };
}

function findPoints(text: string): Point[] {
  const points = findTimes(text).flatMap(({ day, ...time }): Point[] =>
    time.month > 0 && time.year >= 1000 ? [{ ...time, day: day === 0 ? undefined : day }] : [],
  );
  const taken = new SpanIndex<Span>(points);
  const add = (match: RegExpExecArray, name: string, day?: number): void => {
    const [start, end] = [match.index, match.index + match[0].length];
    if (taken.overlaps(start, end)) return;
    taken.add({ start, end });
    points.push({ start, end, month: MONTHS.indexOf(name.toLowerCase()) + 1, day });
  };
  for (const match of text.matchAll(monthAndDay))
    add(match, (match[1] ?? match[4])!, Number(match[2] ?? match[3]));
  for (const match of text.matchAll(monthAlone)) add(match, match[1]!);
  return points.sort((a, b) => a.start - b.start);
}

/** Returns undefined for an impossible day, and for a month without year that the corpus lacks. */
function rangeOf(
  { year, month, day }: Point,
  known: readonly string[],
): Required<DayRange> | undefined {
  const infix = `-${twoDigits(month)}-`;
  const inYear = year ?? Number(known.findLast(each => each.slice(4, 8) === infix)?.slice(0, 4));
  if (Number.isNaN(inYear)) return undefined;
  const last = lastDay(inYear, month);
  if (month > 12 || (day !== undefined && (day < 1 || day > last))) return undefined;
  const prefix = `${String(inYear).padStart(4, '0')}${infix}`;
  return { from: prefix + twoDigits(day ?? 1), to: prefix + twoDigits(day ?? last) };
}
