/** Asks a question in a session: finds its models, then runs it over the newest snapshot. */

import type { Filter } from '../core/corpus/filter.ts';
import { parseFilter } from '../core/corpus/filter-expression.ts';
import type { Trace, TraceEvent } from '../core/trace/trace.ts';
import { languageModel } from '../models/ports.ts';
import { monotonicClock } from '../platform/clock.ts';
import { readers } from '../readers/readers.ts';
import { DEFAULTS, usualReader } from '../run/ask.ts';
import { usualRetriever } from '../run/run-resources.ts';
import { strategies } from '../strategies/strategies.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { type AskedStore, type AskStoreOptions, askStore } from './ask-store.ts';
import type { GivenFilter, StoreAskOptions } from './document-store.ts';
import {
  givenOf,
  type OpenedResource,
  openedModel,
  openedOf,
  openedResources,
} from './opened-resources.ts';
import { openResourceFiles } from './resource-files.ts';
import type { SessionModel } from './session-model.ts';
import type { StoreSession } from './store-session.ts';

export interface AskedSession {
  readonly session: StoreSession;
  readonly model: SessionModel;
  readonly signal: AbortSignal;
}

/** Disposes of the snapshot however the run ends. */
export async function* askSession(
  asked: AskedSession,
  question: string,
  options: StoreAskOptions,
): AsyncGenerator<TraceEvent, Trace, void> {
  const { engine, events } = await openAsk(asked, question, options);
  try {
    return yield* events;
  } finally {
    await engine[Symbol.asyncDispose]();
  }
}

/** Opens a run with the snapshot that it reads, of which the caller disposes. */
export async function openAsk(
  { session, model: ofSession, signal }: AskedSession,
  question: string,
  options: StoreAskOptions,
): Promise<AskedStore> {
  const startedAt = monotonicClock();
  const strategy = strategyOf(options.strategy);
  const given = openedResources(options.resources ?? {});
  const opened = [...given, ...(await installedFor(strategy, given))];
  const usual = usualRetriever(strategy, givenOf(opened)) ?? DEFAULTS.retriever;
  const [own] = openedOf(opened, languageModel);
  const { reader = usualReader(own !== undefined || ofSession.named) } = options;
  const members = [strategy, typeof reader === 'string' ? readers.create(reader) : reader];
  const searched = await session.searched(options.retriever ?? usual, members);
  const model = await ofSession.model(own);
  return askStore(searched, question, {
    ...runOptions(options),
    ...{ strategy, reader, signal, startedAt },
    opened: [...opened.filter(({ port }) => port !== languageModel.name), ...openedModel(model)],
  });
}

/** Parses a filter's expression. Throws `InputError('bad-filter')`. */
export const filterOf = (given: GivenFilter | undefined): Filter | undefined =>
  typeof given === 'string' ? parseFilter(given) : given;

const strategyOf = (given: string | Strategy | undefined): Strategy =>
  typeof given === 'object' ? given : strategies.create(given ?? DEFAULTS.strategy);

/** Returns what is installed beside the package for needs that no given resource meets. */
const installedFor = (
  { needs = [] }: Strategy,
  given: readonly OpenedResource[],
): Promise<OpenedResource[]> =>
  openResourceFiles(
    {},
    needs.filter(
      ({ port, id }) => !given.some(one => one.port === port.name && one.resource.id === id),
    ),
  );

/** Picks the options of the run, without the models and without what is undefined. */
function runOptions(options: StoreAskOptions): Omit<AskStoreOptions, 'opened' | 'strategy'> {
  const { context, reader, budget, onText, answerAt, id } = options;
  const filter = filterOf(options.filter);
  return {
    ...(context === undefined ? {} : { context }),
    ...(reader === undefined ? {} : { reader }),
    ...(budget ? { budget } : {}),
    ...(filter ? { filter } : {}),
    ...(onText ? { onText } : {}),
    ...(answerAt === undefined ? {} : { answerAt }),
    ...(id === undefined ? {} : { id }),
  };
}
