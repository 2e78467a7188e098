/** Parses a question into lanes and the scopes in which each lane is searched. */
import type { Filter } from '../../core/corpus/filter.ts';
import type { Call } from '../../core/trace/call.ts';
import { Asked } from '../../language/asked.ts';
import type { ExtractedFilter } from '../../language/catalogue.ts';
import { type Lane, lanesOf } from '../../language/english/question/lanes.ts';
import { questionLanguage } from '../../language/question-language.ts';
import { metadataCatalogue, readQuestion } from '../../planning/metadata/extractor.ts';
import { groundedFilter, metadataFilter } from '../../planning/metadata/metadata-filter.ts';
import type { SearchEngine } from '../../search/engine.ts';
import type { FactLanesSettings } from './settings.ts';

export interface ParsedQuestion {
  /** The whole question, then its lanes where there are several. */
  readonly lanes: readonly Lane[];
  /** ISO 639-1. */
  readonly language: string;
  readonly filter: ExtractedFilter;
  readonly names: readonly string[];
  /** True if the question may nest descriptions. */
  readonly nested: boolean;
}

const NOTHING: ExtractedFilter = { sources: [], excluded: [], unknown: [], days: [] };

export async function parseQuestion(
  text: string,
  engine: SearchEngine,
  call: Call,
  settings: FactLanesSettings,
): Promise<ParsedQuestion> {
  const catalogue = await metadataCatalogue(engine, call);
  const asked = await readQuestion(text, engine, call);
  const filter = settings.sources ? groundedFilter(asked.cited, catalogue, true) : NOTHING;
  const language = questionLanguage(text).code;
  // Without its function words a question finds less: only what is asked reads the plain form.
  const typed = language === 'en' ? asked : new Asked(text, catalogue);
  const whole: Lane = { text: typed.text, sources: filter.sources, days: [] };
  const clauses = settings.clauses ? clausesOf(typed, settings) : [];
  const several = clauses.length > 1 || (clauses.length === 1 && clauses[0]!.text !== typed.text);
  return {
    lanes: several ? [whole, ...clauses] : [whole],
    language,
    filter,
    names: asked.names,
    nested: asked.mayNest,
  };
}

const clausesOf = (asked: Asked, { sources }: FactLanesSettings): readonly Lane[] =>
  sources ? asked.clauses : lanesOf(asked.text, { sources: [], days: [] });

/**
 * Returns the scopes of a lane, each once: everything (undefined), the sources that the question
 * names, those that the lane names, and the days of the filter.
 */
export function scopesOf(lane: Lane, { filter }: ParsedQuestion): (Filter | undefined)[] {
  const scopes = new Map<string, Filter | undefined>([['', undefined]]);
  const add = (filter: Filter | undefined): unknown =>
    filter && scopes.set(JSON.stringify(filter), filter);
  if (filter.sources.length > 0) add(withinSources(filter.sources));
  if (lane.sources.length > 0) add(withinSources(lane.sources));
  if (filter.days.length > 0) add(metadataFilter({ ...filter, unknown: [], excluded: [] }));
  return [...scopes.values()];
}

/**
 * Returns everything and the narrowest scope of the lane: a search by vectors scans all items once
 * for each scope.
 */
export function narrowScopes(lane: Lane, parsed: ParsedQuestion): (Filter | undefined)[] {
  const scopes = scopesOf(lane, parsed);
  return scopes.length > 2
    ? [
        undefined,
        lane.sources.length > 0 && lane.text !== parsed.lanes[0]!.text
          ? withinSources(lane.sources)
          : scopes.at(-1),
      ]
    : scopes;
}

const withinSources = (values: readonly string[]): Filter => ({
  op: 'in',
  field: 'source',
  values,
});
