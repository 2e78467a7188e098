/** Asks a question in a session: finds its models, then runs it over the newest snapshot. */
import { DEFAULTS } from '../../ask.ts';
import { retrieverFor, updaterOf } from '../../asking/query-updaters.ts';
import type { Filter } from '../../corpus/filter.ts';
import { parseFilter } from '../../corpus/filter-expression.ts';
import { strategies } from '../../strategies/strategies.ts';
import type { Strategy } from '../../strategies/strategy.ts';
import type { Trace, TraceEvent } from '../../trace/trace.ts';
import { openQueryUpdaters } from '../query-updater-files.ts';
import type { NamedModel } from '../runs/evaluation-manifest.ts';
import { type AskStoreOptions, askStore } from './ask-store.ts';
import type { GivenFilter, StoreAskOptions } from './document-store.ts';
import type { SessionModel } from './session-model.ts';
import type { StoreSession } from './store-session.ts';

export interface AskedSession {
  readonly session: StoreSession;
  readonly model: SessionModel;
  readonly signal: AbortSignal;
}

/** Disposes of the snapshot however the run ends. */
export async function* askSession(
  { session, model: ofSession, signal }: AskedSession,
  question: string,
  options: StoreAskOptions,
): AsyncGenerator<TraceEvent, Trace, void> {
  const strategy = strategyOf(options.strategy);
  const queryUpdaters = await updatersOf(strategy, options);
  const updater = updaterOf(
    strategy,
    queryUpdaters.map(one => one.model),
  );
  const usual = updater ? retrieverFor(updater) : DEFAULTS.retriever;
  const searched = await session.searched(options.retriever ?? usual, strategy);
  const model = await ofSession.model(options.model);
  const { engine, events } = await askStore(searched, question, {
    ...runOptions(options),
    ...{ strategy, queryUpdaters, signal },
    ...(model ? { model } : {}),
  });
  try {
    return yield* events;
  } finally {
    await engine[Symbol.asyncDispose]();
  }
}

/** Parses a filter's expression. Throws `InputError('bad-filter')`. */
export const filterOf = (given: GivenFilter | undefined): Filter | undefined =>
  typeof given === 'string' ? parseFilter(given) : given;

const strategyOf = (given: string | Strategy | undefined): Strategy =>
  typeof given === 'object' ? given : strategies.create(given ?? DEFAULTS.strategy);

async function updatersOf(
  { name, updater }: Strategy,
  { queryUpdaters = [] }: StoreAskOptions,
): Promise<AskStoreOptions['queryUpdaters'] & object> {
  const given = queryUpdaters.map(identified);
  if (updater === undefined || queryUpdaters.some(({ id }) => id === updater)) return given;
  return [...given, ...(await openQueryUpdaters([], [name]))];
}

const identified = <M extends { readonly id: string }>(model: M): NamedModel<M> => ({
  model,
  identity: model.id,
});

/** Picks the options of the run, without the models and without what is undefined. */
function runOptions(options: StoreAskOptions): Omit<AskStoreOptions, 'model' | 'strategy'> {
  const { context, reader, budget, onText, id } = options;
  const filter = filterOf(options.filter);
  return {
    tokenClassifiers: (options.tokenClassifiers ?? []).map(identified),
    ...(context === undefined ? {} : { context }),
    ...(reader === undefined ? {} : { reader }),
    ...(budget ? { budget } : {}),
    ...(filter ? { filter } : {}),
    ...(onText ? { onText } : {}),
    ...(id === undefined ? {} : { id }),
  };
}
