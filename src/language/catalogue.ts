/** Declares the sources and days of a corpus, and those of them that a question names. */
import type { Call } from '../core/trace/call.ts';
import type { SourceSpellings } from './english/names/misspelled-sources.ts';
import type { SourceAlias } from './english/names/source-names.ts';
import type { DayRange } from './english/values/day-ranges.ts';

/** Known values of a corpus. Extracted names are in the catalogue, except unknown ones. */
export interface MetadataCatalogue {
  /** Every value of the field `source`, most frequent first. */
  readonly sources: readonly string[];
  /** Spellings of `sources`, as `sourceNames` returns them; computed if missing. */
  readonly aliases?: readonly SourceAlias[];
  /** The index of `aliases` by misspelt words; built if missing. */
  readonly spellings?: SourceSpellings;
  /**
   * Days of the field `published_at` as `YYYY-MM-DD`, ascending: at least the first, the last, and
   * the latest of each month that has any; empty if documents have none.
   */
  readonly days: readonly string[];
  /** Returns those of the days that some document has; searches `days` if missing. */
  hasDays?(days: readonly string[], call: Call): Promise<string[]>;
}

/**
 * Days of the evidence: of one source, or, without `source`, of every source that has no days of
 * its own.
 */
export interface NamedDays extends DayRange {
  readonly source?: string;
}

export interface ExtractedFilter {
  /** Known sources that are named, as spelled in the catalogue, in order of mention. */
  readonly sources: readonly string[];
  /** Known sources that are excluded. */
  readonly excluded: readonly string[];
  /** Sources that are named and not in the catalogue, as spelled in the question. */
  readonly unknown: readonly string[];
  readonly days: readonly NamedDays[];
}

/**
 * Returns true if the question names sources and the corpus has none of them, which suggests an
 * unanswerable question.
 */
export function unknownSourceOnly({ sources, excluded, unknown }: ExtractedFilter): boolean {
  return unknown.length > 0 && sources.length === 0 && excluded.length === 0;
}
