/** Binds the kits of a run to its snapshot: one for the hops, one for the reading after them. */
import { analysisOf } from '../core/corpus/analysis-cache.ts';
import type { Document } from '../core/corpus/document.ts';
import { checkFilter } from '../core/corpus/filter.ts';
import type { Metering } from '../core/port.ts';
import { type Call, freeCall } from '../core/trace/call.ts';
import type { Question } from '../core/trace/trace.ts';
import { checkRequirements, filterOperations } from '../search/capabilities.ts';
import type { SearchEngine } from '../search/engine.ts';
import type { Retriever } from '../search/retriever.ts';
import type { Kit, Strategy } from '../strategies/strategy.ts';
import type { AskOptions } from './ask-options.ts';
import { type HopProgress, meteredEngine, meteredRetriever, pausedEngine } from './metered-kit.ts';
import { meteringOf } from './metering.ts';
import type { Pauses } from './pauses.ts';
import type { Members } from './run-members.ts';
import { checkSpaces, meteredLookup, needyOf } from './run-resources.ts';

/** Everything that the members of a run are bound to. */
export interface Binding {
  readonly options: AskOptions;
  readonly engine: SearchEngine;
  readonly question: Question;
  readonly call: Call;
  readonly progress: HopProgress;
  /** Documents read so far, by id. */
  readonly known: Map<string, Document>;
  /** The caller's signal, which the run's time does not fire. */
  readonly caller: AbortSignal;
  readonly pauses: Pauses;
}

/** Binds the kit of the hops, and that of the reading, which the run's time does not limit. */
export function kitsOf(
  members: Members,
  binding: Binding,
): { readonly kit: Kit; readonly reading: Kit } {
  const { options, engine, question, call, progress, known, caller, pauses } = binding;
  const { found } = members;
  const analysis = analysisOf(engine);
  const { filter } = options;
  const inRun = { signal: call.signal, pause: pauses.inHops, filter };
  const metered = meteredEngine(engine, inRun, known, analysis);
  const inHops = (port: string): Metering => meteringOf(port, { call, progress });
  const inReading = (port: string): Metering =>
    meteringOf(port, { call, progress, caller, onText: options.onText });
  const retriever = meteredRetriever(
    members.retriever.bind(
      pausedEngine(engine, inRun),
      meteredLookup(needyOf('retriever', members.retriever), found, inHops),
    ),
    call,
    progress,
    filter,
  );
  checkSpaces(found, retriever);
  checkCapabilities(members.strategy, retriever, binding);
  // Contexts read stored text without limits, so that an interrupted run still has its evidence.
  const lookup = meteredLookup(needyOf('context', members.context), found, inReading);
  const context = members.context.bind(metered, freeCall(), question, lookup);
  const kit = {
    engine: metered,
    retriever,
    context,
    resource: meteredLookup(needyOf('strategy', members.strategy), found, inHops),
  };
  const reading = {
    ...kit,
    engine: meteredEngine(
      engine,
      { signal: caller, pause: pauses.inReading, filter },
      known,
      analysis,
    ),
    resource: meteredLookup(needyOf('reader', members.reader), found, inReading),
  };
  return { kit, reading };
}

/**
 * Throws `InputError` if the engine lacks what the strategy or the run's filter requires, and for a
 * filter that is none.
 */
function checkCapabilities(
  strategy: Strategy,
  retriever: Retriever,
  { engine, options: { filter } }: Binding,
): void {
  const member = `The strategy "${strategy.name}"`;
  checkRequirements(member, strategy.requires?.(retriever) ?? {}, engine);
  if (filter === undefined) return;
  checkFilter(filter);
  checkRequirements('The filter', { filters: filterOperations(filter) }, engine);
}
