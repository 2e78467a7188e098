/** Extracts a metadata filter from a question by the catalogue's own names, without a model. */
import { defined } from '../../../core/defined.ts';
import { countWhile } from '../../../core/text/span-index.ts';
import type { ExtractedFilter, MetadataCatalogue, NamedDays } from '../../catalogue.ts';
import { REPORTED, REPORTS } from '../names/citing-words.ts';
import { citedSources, type SourceMention } from '../names/source-names.ts';
import { type DayRangeMention, findDayRanges } from '../values/day-ranges.ts';

/**
 * Greatest distances in UTF-16 units: from a source's name to the date after it ("The Verge report
 * published on October 7, 2023"), from a date to the source after it, and from a word of
 * publication to the date after it.
 */
const REACH = { after: 60, before: 20, word: 30 } as const;
const PUBLISHED = new RegExp(String.raw`\b(?:${REPORTS}|${REPORTED}|dated|posted)\b`, 'i');
/** A question that names more days is not filtered by days. */
const MAX_DAYS = 32;

export function extractByRules(question: string, catalogue: MetadataCatalogue): ExtractedFilter {
  const { known, unknown } = citedSources(question, catalogue);
  const found = namedDays(question, findDayRanges(question, catalogue.days), known);
  return {
    sources: [...new Set(known.flatMap(({ names }) => names))],
    excluded: [],
    unknown: [...new Set(unknown.map(({ text }) => text))],
    days: found.length > MAX_DAYS ? [] : found,
  };
}

/**
 * Assigns each date to the source that it dates: the nearest source before it, if the date follows
 * the name closely or follows a word of publication; otherwise, if no source precedes it, the first
 * source after it. In a question that names sources, other dates are dates of events and filter
 * nothing. A source that also occurs without a date ("After Wired reported on October 7, 2023, did
 * Wired ...") is not restricted to a single day.
 */
function namedDays(
  question: string,
  ranges: readonly DayRangeMention[],
  mentions: readonly SourceMention[],
): NamedDays[] {
  const owners = ranges.map(range => ownerOf(question, range, mentions));
  const dated = new Set(owners);
  const undated = new Set(
    mentions.filter(mention => !dated.has(mention)).flatMap(({ names }) => names),
  );
  const days = new Map<string, NamedDays>();
  for (const [index, { from, to }] of ranges.entries()) {
    const range = defined({ from, to });
    if (mentions.length === 0) days.set(`${from} ${to}`, range);
    for (const source of owners[index]?.names ?? [])
      days.set(`${from} ${to} ${source}`, { ...range, source });
  }
  const bySource = Map.groupBy(days.values(), ({ source }) => source);
  return [...days.values()].filter(
    ({ source }) =>
      source === undefined || !undated.has(source) || bySource.get(source)!.length > 1,
  );
}

function ownerOf(
  question: string,
  range: DayRangeMention,
  mentions: readonly SourceMention[],
): SourceMention | undefined {
  // Mentions are in order and do not overlap.
  const after = countWhile(mentions, ({ end }) => end <= range.start);
  const last = mentions[after - 1];
  if (!last) {
    const next = mentions.slice(after, after + 2).find(({ start }) => start >= range.end);
    return next && next.start - range.end <= REACH.before ? next : undefined;
  }
  const dates =
    range.start - last.end <= REACH.after ||
    PUBLISHED.test(question.slice(Math.max(last.end, range.start - REACH.word), range.start));
  return dates ? last : undefined;
}
