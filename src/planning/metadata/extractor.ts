/**
 * A metadata extractor reads from a question which sources and days its evidence must have
 * (Multi-Meta-RAG sheet, sections 5 to 8).
 */
import { type AnalysisKind, analysisOf } from '../../corpus/analysis-cache.ts';
import type { PortError } from '../../errors.ts';
import type { PlannedCalls } from '../../models/planned-calls.ts';
import type { Need, ResourceLookup } from '../../models/port.ts';
import { textValues } from '../../retrieval/all-values.ts';
import type { SearchEngine } from '../../retrieval/engine.ts';
import type { Call } from '../../trace/call.ts';
import type { ModelOutput } from '../../trace/trace.ts';
import type { DayRange } from './day-ranges.ts';
import { DAYS_FIELD, existingDays, representativeDays } from './known-days.ts';
import { type SourceAlias, sourceNames } from './source-names.ts';

/** What the engine knows: extraction names nothing that is not in here, except as unknown. */
export interface MetadataCatalogue {
  /** Every value of the field `source`, most frequent first. */
  readonly sources: readonly string[];
  /** The ways to write `sources`, as `sourceNames` gives them; computed when missing. */
  readonly aliases?: readonly SourceAlias[];
  /**
   * Days of the field `published_at` as `YYYY-MM-DD`, ascending: at least the first, the last, and
   * the latest of each month that has any; empty if documents have none.
   */
  readonly days: readonly string[];
  /** Returns those of the days that some document has; looks among `days` if missing. */
  hasDays?(days: readonly string[], call: Call): Promise<string[]>;
}

/**
 * Days that the evidence must be of: that of one source alone, or where `source` is missing that of
 * every source without days of its own.
 */
export interface NamedDays extends DayRange {
  readonly source?: string;
}

export interface ExtractedFilter {
  /** Known sources that are named, as they stand in the catalogue, in order of mention. */
  readonly sources: readonly string[];
  /** Known sources that are ruled out. */
  readonly excluded: readonly string[];
  /** Sources that are named and that the catalogue does not have, as the question writes them. */
  readonly unknown: readonly string[];
  readonly days: readonly NamedDays[];
}

/** An extracted filter, and who made it. */
export interface Extraction extends ExtractedFilter {
  /** Who made it, where that was not the extractor itself. */
  readonly by?: string;
  /** What a model said on the way, word for word, and what was lost. */
  readonly said?: readonly ModelOutput[];
  /**
   * Of the model: to be thrown behind the hop, since such a run must not pass for one whose model
   * answered.
   */
  readonly failure?: PortError;
}

export interface MetadataExtractor {
  /** Canonical. */
  readonly name: string;
  /** Resources that it looks up, computed from its settings. */
  readonly needs?: readonly Need[];
  /** What it asks of a language model for one question. */
  readonly modelCalls?: readonly PlannedCalls[];
  extract(
    question: string,
    catalogue: MetadataCatalogue,
    call: Call,
    resource?: ResourceLookup,
  ): Promise<Extraction>;
}

/**
 * The question names sources, and the corpus has none of them: what makes a null question look
 * unanswerable.
 */
export function unknownSourceOnly({ sources, excluded, unknown }: ExtractedFilter): boolean {
  return unknown.length > 0 && sources.length === 0 && excluded.length === 0;
}

type Known = Required<Omit<MetadataCatalogue, 'hasDays'>>;

const CATALOGUE: AnalysisKind<Known> = {
  name: 'metadata catalogue',
  bytes: ({ sources, days, aliases }) => 64 * (sources.length + days.length) + 160 * aliases.length,
};
/** Returns the catalogue of a snapshot; a field that no document has is empty. */
export async function metadataCatalogue(
  engine: SearchEngine,
  call: Call,
): Promise<MetadataCatalogue> {
  const hasDays = (days: readonly string[], asked: Call): Promise<string[]> =>
    existingDays(days, engine, asked);
  const analysis = analysisOf(engine);
  let known = analysis.get(CATALOGUE, '');
  if (!known) analysis.set(CATALOGUE, '', (known = await readCatalogue(engine, call)));
  return { ...known, hasDays };
}

async function readCatalogue(engine: SearchEngine, call: Call): Promise<Known> {
  const fields = new Set(await engine.fields(call));
  const names = fields.has('source') ? await textValues(engine, 'source', call) : [];
  const sources = names.filter(name => name.trim() !== '');
  const days = fields.has(DAYS_FIELD) ? await representativeDays(engine, call) : [];
  return { sources, aliases: sourceNames(sources), days };
}
