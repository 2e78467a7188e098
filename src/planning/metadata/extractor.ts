/**
 * Declares metadata extractors, which derive from a question the sources and days of its evidence,
 * after Multi-Meta-RAG (arXiv 2406.13213).
 */
import { type AnalysisKind, analysisOf } from '../../core/corpus/analysis-cache.ts';
import type { PortError } from '../../core/errors.ts';
import { JointSteps } from '../../core/joint-steps.ts';
import type { Need, ResourceLookup } from '../../core/port.ts';
import { finishWithPauses, type Steps } from '../../core/steps.ts';
import { type Call, pauseOf } from '../../core/trace/call.ts';
import type { ModelOutput } from '../../core/trace/trace.ts';
import { type Asked, askedOver } from '../../language/asked.ts';
import type { ExtractedFilter, MetadataCatalogue } from '../../language/catalogue.ts';
import { SourceSpellings } from '../../language/english/names/misspelled-sources.ts';
import { prepareSources, sourceNamesInSteps } from '../../language/english/names/source-names.ts';
import type { PlannedCalls } from '../../models/planned-calls.ts';
import type { SearchEngine } from '../../search/engine.ts';
import { textValues } from '../../search/filters/all-values.ts';
import { DAYS_FIELD, existingDays, representativeDays } from './known-days.ts';

/** An extracted filter with its origin. */
export interface Extraction extends ExtractedFilter {
  /** Name of the origin, if it is not the extractor itself. */
  readonly by?: string;
  /** Outputs of a model, verbatim, and notes of degraded steps. */
  readonly outputs?: readonly ModelOutput[];
  /**
   * Failure of the model, which the strategy throws after the hop: a run whose model failed must
   * not count as one whose model answered.
   */
  readonly failure?: PortError;
}

export interface MetadataExtractor {
  /** Canonical name. */
  readonly name: string;
  /** Resources that it looks up, computed from its settings. */
  readonly needs?: readonly Need[];
  /** Planned calls of a language model for one question. */
  readonly modelCalls?: readonly PlannedCalls[];
  /** Extracts a filter. `resource` looks the declared needs up. */
  extract(
    question: string,
    catalogue: MetadataCatalogue,
    call: Call,
    resource?: ResourceLookup,
  ): Promise<Extraction>;
}

type Known = Required<Omit<MetadataCatalogue, 'hasDays'>>;

const CATALOGUE: AnalysisKind<Known> = {
  name: 'metadata catalogue',
  bytes: ({ sources, days, aliases, spellings }) =>
    64 * (sources.length + days.length) + 160 * aliases.length + 1000 * spellings.size,
};

/** A catalogue that is being prepared, for the question that goes on with it. */
const READING: AnalysisKind<JointSteps<Known>> = {
  name: 'metadata catalogue in steps',
  bytes: () => 0,
};

/** Returns the catalogue of a snapshot; a field that no document has is empty. */
export async function metadataCatalogue(
  engine: SearchEngine,
  call: Call,
): Promise<MetadataCatalogue> {
  const hasDays = (days: readonly string[], current: Call): Promise<string[]> =>
    existingDays(days, engine, current);
  const analysis = analysisOf(engine);
  let known = analysis.get(CATALOGUE, '');
  if (!known) {
    let read = analysis.get(READING, '');
    if (!read) {
      const { sources, days } = await readCatalogue(engine, call);
      read = new JointSteps(() => prepareCatalogue(sources, days));
      analysis.set(READING, '', read);
    }
    known = await finishWithPauses(read.finished(), pauseOf(call));
    analysis.set(CATALOGUE, '', known);
  }
  return { ...known, hasDays };
}

/** Reads a question over the sources and days of a snapshot, once for all members of a run. */
export async function readQuestion(text: string, engine: SearchEngine, call: Call): Promise<Asked> {
  return askedOver(text, await metadataCatalogue(engine, call), analysisOf(engine));
}

/** Reads the values that are prepared then. */
async function readCatalogue(
  engine: SearchEngine,
  call: Call,
): Promise<Pick<Known, 'sources' | 'days'>> {
  const fields = new Set(await engine.fields(call));
  const names = fields.has('source') ? await textValues(engine, 'source', call) : [];
  const sources = names.filter(name => name.trim() !== '');
  const days = fields.has(DAYS_FIELD) ? await representativeDays(engine, call) : [];
  return { sources, days };
}

function* prepareCatalogue(sources: readonly string[], days: readonly string[]): Steps<Known> {
  const aliases = yield* sourceNamesInSteps(sources);
  yield* prepareSources(aliases);
  return { sources, aliases, spellings: yield* SourceSpellings.prepare(aliases), days };
}
