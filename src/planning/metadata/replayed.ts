/** `replayed`: looks up the filters of an earlier run by question, and cleans them. */
import { InputError } from '../../core/errors.ts';
import type { Member } from '../../core/naming/family.ts';
import type { ExtractedFilter, MetadataCatalogue, NamedDays } from '../../language/catalogue.ts';
import { findDates } from '../../language/english/values/dates.ts';
import type { MetadataExtractor } from './extractor.ts';
import { valuesOf } from './values-of.ts';

/** Raw filters by the question's text. */
export type RecordedFilters = ReadonlyMap<string, unknown>;

/**
 * Reads the published form, `[{ query, filter: { source: { $in: [...] }, published_at: { $in: [...]
 * } } }, ...]`. Throws `InputError('bad-filters')`.
 */
export function readRecordedFilters(json: unknown): RecordedFilters {
  if (!Array.isArray(json)) throw badFilters(json, '');
  return new Map(
    json.map((entry: unknown, index): [string, unknown] => {
      if (
        typeof entry !== 'object' ||
        entry === null ||
        typeof (entry as { query?: unknown }).query !== 'string'
      )
        throw badFilters(entry, ` (entry ${index})`);
      return [(entry as { query: string }).query, (entry as { filter?: unknown }).filter];
    }),
  );
}

function badFilters(received: unknown, where: string): InputError {
  return new InputError('bad-filters', `Not recorded filters${where}`, {
    expected: 'a list of { query, filter }',
    received: (JSON.stringify(received) ?? String(received)).slice(0, 120),
  });
}

/**
 * Returns the member over recorded filters; without them its extractor throws
 * `InputError('no-filters')`.
 */
export function replayed(recorded?: RecordedFilters): Member<MetadataExtractor> {
  return {
    name: 'replayed',
    summary: 'Filters of an earlier run by a language model, looked up by the question',
    paper: 'Poliakov and Shvai, Multi-Meta-RAG, 2024: the published GPT-3.5 filters',
    cost: '0 model calls; 1 in the run that made them',
    create: (_settings, name) => ({
      name,
      async extract(question, catalogue) {
        if (recorded) return cleanedFilter(recorded.get(question), catalogue);
        throw new InputError('no-filters', 'The extractor "replayed" has no recorded filters', {
          expected: 'the filters of an earlier run',
          hint: 'Choose extractor=rules, model or none: only evaluations replay recorded filters.',
          remedy: { id: 'give-filters' },
        });
      },
    }),
  };
}

/**
 * Cleans a model's raw filter: drops keys other than the two; matches sources to the catalogue
 * ignoring case, and reports others as unknown; drops all dates if one is unreadable, as the
 * original does. Drops `$nin` of dates (3 of 2,556).
 */
export function cleanedFilter(raw: unknown, catalogue: MetadataCatalogue): ExtractedFilter {
  const bySource = new Map(catalogue.sources.map(name => [name.toLowerCase(), name]));
  const clause = valuesOf(raw, 'source');
  const known = (names: readonly string[]): string[] => [
    ...new Set(names.flatMap(name => bySource.get(name.toLowerCase()) ?? [])),
  ];
  return {
    sources: known(clause.within),
    excluded: known(clause.without),
    unknown: [...new Set(clause.within.filter(name => !bySource.has(name.toLowerCase())))],
    days: daysOf(valuesOf(raw, 'published_at').within),
  };
}

function daysOf(texts: readonly string[]): NamedDays[] {
  const days = texts.map(text => findDates(text)[0]?.day);
  return days.some(day => day === undefined)
    ? []
    : [...new Set(days as string[])].map(day => ({ from: day, to: day }));
}
