/** A question as `fact-lanes` reads it: its lanes, and where each of them is searched. */
import type { Filter } from '../../corpus/filter.ts';
import { type Lane, lanesOf } from '../../planning/lanes.ts';
import { extractByRules } from '../../planning/metadata/extract-by-rules.ts';
import { type ExtractedFilter, metadataCatalogue } from '../../planning/metadata/extractor.ts';
import { groundedFilter, metadataFilter } from '../../planning/metadata/metadata-filter.ts';
import type { ModelInUse } from '../../planning/model-in-use.ts';
import type { SearchEngine } from '../../retrieval/engine.ts';
import { findNames } from '../../text/names.ts';
import type { Call } from '../../trace/call.ts';
import type { ModelOutput } from '../../trace/trace.ts';
import { modelLanes } from './model-lanes.ts';
import type { FactLanesSettings } from './settings.ts';

export interface AskedLanes {
  /** The whole question, then its lanes where there are several. */
  readonly lanes: readonly Lane[];
  readonly named: ExtractedFilter;
  /**
   * It names no source, not even one that the corpus does not know: then it says nothing of where
   * its facts are.
   */
  readonly open: boolean;
  readonly names: readonly string[];
  /** What a model said, and what is missing. */
  readonly outputs: readonly ModelOutput[];
}

const NOTHING: ExtractedFilter = { sources: [], excluded: [], unknown: [], days: [] };

export async function readLanes(
  question: string,
  engine: SearchEngine,
  model: ModelInUse,
  call: Call,
  settings: FactLanesSettings,
): Promise<AskedLanes> {
  const catalogue = await metadataCatalogue(engine, call);
  const known = settings.sources ? catalogue : { sources: [], days: [] };
  const byQuestion = extractByRules(question, catalogue);
  const named = settings.sources ? groundedFilter(byQuestion, catalogue, true) : NOTHING;
  const open = byQuestion.sources.length === 0 && byQuestion.unknown.length === 0;
  const whole: Lane = { text: question, sources: named.sources, days: [] };
  const byModel =
    settings.lanes === 'model'
      ? await modelLanes(question, known, model, call)
      : { lanes: [], outputs: [] };
  const byRules = settings.clauses ? lanesOf(question, known) : [];
  const clauses = byModel.lanes.length > 0 ? byModel.lanes : byRules;
  const several = clauses.length > 1 || (clauses.length === 1 && clauses[0]!.text !== question);
  const names = findNames(question).map(({ text }) => text);
  return {
    lanes: several ? [whole, ...clauses] : [whole],
    named,
    open,
    names,
    outputs: byModel.outputs,
  };
}

/**
 * Everywhere; within the sources that the question names; within those that the lane names; within
 * the days named. Each once.
 */
export function scopesOf(lane: Lane, { named }: AskedLanes): (Filter | undefined)[] {
  const scopes = new Map<string, Filter | undefined>([['', undefined]]);
  const add = (filter: Filter | undefined): unknown =>
    filter && scopes.set(JSON.stringify(filter), filter);
  if (named.sources.length > 0) add(withinSources(named.sources));
  if (lane.sources.length > 0) add(withinSources(lane.sources));
  if (named.days.length > 0) add(metadataFilter({ ...named, unknown: [], excluded: [] }));
  return [...scopes.values()];
}

/**
 * Everywhere and in the narrowest scope of the lane: a search by vectors reads every item once for
 * each.
 */
export function narrowScopes(lane: Lane, asked: AskedLanes): (Filter | undefined)[] {
  const scopes = scopesOf(lane, asked);
  return scopes.length > 2
    ? [
        undefined,
        lane.sources.length > 0 && lane.text !== asked.lanes[0]!.text
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
