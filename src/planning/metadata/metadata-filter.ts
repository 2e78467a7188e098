/** Converts an extracted filter to the engine's filter, and relaxes it if nothing passes. */
import type { Filter } from '../../core/corpus/filter.ts';
import { defined } from '../../core/defined.ts';
import {
  type ExtractedFilter,
  type MetadataCatalogue,
  type NamedDays,
  unknownSourceOnly,
} from '../../language/catalogue.ts';
import type { FilterOperation } from '../../search/capabilities.ts';

/** Operations that filters made by `metadataFilter` contain. */
export const METADATA_FILTERS: readonly FilterOperation[] = ['in', 'nin', 'range', 'and', 'or'];

/**
 * Returns the filter, or undefined if the question names nothing to filter by. A question that
 * names only unknown sources gets a filter that passes nothing.
 */
export function metadataFilter(extracted: ExtractedFilter): Filter | undefined {
  const { sources, excluded, unknown, days } = extracted;
  if (unknownSourceOnly(extracted)) return { op: 'in', field: 'source', values: unknown };
  const parts: Filter[] = [];
  const general = days.filter(({ source }) => source === undefined);
  const clause = sourcesWithDays(sources, days, general);
  if (clause) parts.push(clause);
  else if (general.length > 0) parts.push(anyOf(general.map(rangeFilter)));
  if (excluded.length > 0) parts.push({ op: 'nin', field: 'source', values: excluded });
  return parts.length > 1 ? { op: 'and', filters: parts } : parts[0];
}

/**
 * Groups sources that share their days into one clause each: those without days, those with the
 * general ones, those with days of their own.
 */
function sourcesWithDays(
  sources: readonly string[],
  days: readonly NamedDays[],
  general: readonly NamedDays[],
): Filter | undefined {
  const groups = new Map<string, { days: readonly NamedDays[]; sources: string[] }>();
  for (const source of sources) {
    const stated = days.filter(each => each.source === source);
    const its = stated.length > 0 ? stated : general;
    const key = JSON.stringify(its.map(({ from, to }) => [from ?? null, to ?? null]));
    const group = groups.get(key);
    if (group) group.sources.push(source);
    else groups.set(key, { days: its, sources: [source] });
  }
  const clauses = Array.from(groups.values(), (group): Filter => {
    const bySource: Filter = { op: 'in', field: 'source', values: group.sources };
    return group.days.length === 0
      ? bySource
      : { op: 'and', filters: [bySource, anyOf(group.days.map(rangeFilter))] };
  });
  return clauses.length > 0 ? anyOf(clauses) : undefined;
}

const anyOf = (filters: readonly Filter[]): Filter =>
  filters.length === 1 ? filters[0]! : { op: 'or', filters };

const rangeFilter = ({ from, to }: NamedDays): Filter =>
  defined({ op: 'range', field: 'published_at', from, to });

const withoutDays = (extracted: ExtractedFilter): ExtractedFilter => ({ ...extracted, days: [] });

/**
 * Drops parts that the corpus cannot be filtered by: all sources if no document has one, and days
 * without `dates` or if no document has one.
 */
export function groundedFilter(
  extracted: ExtractedFilter,
  catalogue: MetadataCatalogue,
  dates: boolean,
): ExtractedFilter {
  const bySource =
    catalogue.sources.length > 0
      ? extracted
      : { sources: [], excluded: [], unknown: [], days: extracted.days };
  const filterable = dates && catalogue.days.length > 0 ? bySource : withoutDays(bySource);
  return {
    ...filterable,
    days: filterable.days.filter(
      ({ source }) => source === undefined || filterable.sources.includes(source),
    ),
  };
}

/**
 * Returns the filter, then the filter without days, then no filter; each relaxed step with a
 * description of what was dropped.
 */
export function relaxations(
  extracted: ExtractedFilter,
): { readonly filter?: Filter; readonly relaxed?: string }[] {
  const filter = metadataFilter(extracted);
  if (!filter) return [{}];
  if (unknownSourceOnly(extracted))
    return [{ filter }, { relaxed: `unknown sources dropped: ${extracted.unknown.join(', ')}` }];
  const bySource = extracted.days.length > 0 ? metadataFilter(withoutDays(extracted)) : undefined;
  return [
    { filter },
    ...(bySource ? [{ filter: bySource, relaxed: 'dates dropped: nothing passed them' }] : []),
    {
      relaxed: bySource
        ? 'dates and sources dropped: nothing passed them'
        : 'filter dropped: nothing passed it',
    },
  ];
}
