/**
 * Metadata by the engine's own catalogue of values, without a model (Multi-Meta-RAG sheet, section
 * 8).
 */
import { type DayRangeMention, findDayRanges } from './day-ranges.ts';
import type { ExtractedFilter, MetadataCatalogue, NamedDays } from './extractor.ts';
import { findSources, findUnknownSources, type SourceMention } from './source-names.ts';

/**
 * How far behind a source's name its date may stand, in characters ("The Verge report published on
 * October 7, 2023"), how far before it, and how far a word for publishing before the date.
 */
const REACH = { behind: 60, before: 20, word: 30 } as const;
const PUBLISHED =
  /\b(?:publish|report|article|piece|story|stories|dated|posted|coverage|analysis|interview|review)/i;
/** A question that names more days than this says nothing by them. */
const MOST_DAYS = 32;

export function extractByRules(
  question: string,
  { sources, aliases, days }: MetadataCatalogue,
): ExtractedFilter {
  const mentions = findSources(question, sources, aliases);
  const named = namedDays(question, findDayRanges(question, days), mentions);
  return {
    sources: [...new Set(mentions.flatMap(({ names }) => names))],
    excluded: [],
    unknown: [...new Set(findUnknownSources(question, mentions).map(({ text }) => text))],
    days: named.length > MOST_DAYS ? [] : named,
  };
}

/**
 * Each date with the source that it dates: the nearest before it, where it stands close behind the
 * name or behind a word for publishing; the first one behind it, where none is before it. Other
 * dates of a question that names sources are what its events happened on, and filter nothing. A
 * source that is named without a date too ("After Wired reported on October 7, 2023, did Wired
 * ...") is not held to a single day.
 */
function namedDays(
  question: string,
  ranges: readonly DayRangeMention[],
  mentions: readonly SourceMention[],
): NamedDays[] {
  const owners = ranges.map(range => ownerOf(question, range, mentions));
  const undated = new Set(
    mentions.filter(mention => !owners.includes(mention)).flatMap(({ names }) => names),
  );
  const days = new Map<string, NamedDays>();
  for (const [index, { from, to }] of ranges.entries()) {
    const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    if (mentions.length === 0) days.set(`${from} ${to}`, range);
    for (const source of owners[index]?.names ?? [])
      days.set(`${from} ${to} ${source}`, { ...range, source });
  }
  const all = [...days.values()];
  return all.filter(
    ({ source }) =>
      source === undefined ||
      !undated.has(source) ||
      all.filter(each => each.source === source).length > 1,
  );
}

function ownerOf(
  question: string,
  range: DayRangeMention,
  mentions: readonly SourceMention[],
): SourceMention | undefined {
  const last = mentions.findLast(({ end }) => end <= range.start);
  if (!last)
    return mentions.find(({ start }) => start >= range.end && start - range.end <= REACH.before);
  const dates =
    range.start - last.end <= REACH.behind ||
    PUBLISHED.test(question.slice(last.end, range.start).slice(-REACH.word));
  return dates ? last : undefined;
}
