/** `rules`: metadata by the engine's own catalogue of values, without a model (Multi-Meta-RAG sheet, section 8). */
import type { Member } from '../../naming/family.ts';
import { type DayRangeMention, findDayRanges } from './day-ranges.ts';
import type { ExtractedFilter, MetadataCatalogue, MetadataExtractor, NamedDays } from './extractor.ts';
import { findSources, findUnknownSources, type SourceMention } from './source-names.ts';

/** How far behind a source's name its date may stand, in characters ("The Verge report published on October 7, 2023"), and how far before it. */
const REACH = { behind: 60, before: 20 } as const;
/** A question that names more days than this says nothing by them. */
const MOST_DAYS = 32;

export const rules: Member<MetadataExtractor> = {
  name: 'rules',
  summary: 'Names and aliases of the catalogue, long and ISO dates, months, ranges; no model',
  paper: 'Multi-Meta-RAG sheet, section 8',
  cost: '0 model calls',
  create: (_settings, name) => ({ name, extract: async (question, catalogue) => extractByRules(question, catalogue) }),
};

export function extractByRules(question: string, { sources, days }: MetadataCatalogue): ExtractedFilter {
  const mentions = findSources(question, sources);
  const named = namedDays(findDayRanges(question, days), mentions);
  return {
    sources: [...new Set(mentions.flatMap(({ names }) => names))],
    excluded: [],
    unknown: [...new Set(findUnknownSources(question, mentions).map(({ text }) => text))],
    days: named.length > MOST_DAYS ? [] : named,
  };
}

/**
 * Each date with the source that it stands beside: the nearest before it, or else right behind it. A source that is named without a date too
 * ("After Wired reported on October 7, 2023, did Wired ...") is not held to its dates.
 */
function namedDays(ranges: readonly DayRangeMention[], mentions: readonly SourceMention[]): NamedDays[] {
  const ownerOf = (range: DayRangeMention): SourceMention | undefined => {
    const last = mentions.findLast(({ end }) => end <= range.start);
    if (last && range.start - last.end <= REACH.behind) return last;
    return mentions.find(({ start }) => start >= range.end && start - range.end <= REACH.before);
  };
  const owners = ranges.map(ownerOf);
  const undated = new Set(mentions.filter(mention => !owners.includes(mention)).flatMap(({ names }) => names));
  const days = new Map<string, NamedDays>();
  for (const [index, { from, to }] of ranges.entries()) {
    const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    const owner = owners[index];
    for (const source of owner ? owner.names : [undefined]) {
      if (source === undefined) days.set(`${from} ${to}`, range);
      else if (!undated.has(source)) days.set(`${from} ${to} ${source}`, { ...range, source });
    }
  }
  return [...days.values()];
}
