/** Asks a question of an opened store: the composition of `multihop ask`. */
import { type AskOptions, DEFAULTS } from '../../ask.ts';
import { InputError } from '../../errors.ts';
import type { TokenClassifiers } from '../../models/efficient-rag/token-classifiers.ts';
import type { QueryUpdater } from '../../models/query-updater.ts';
import type { Staleness } from '../../retrieval/derived-index.ts';
import { checkFilterValues } from '../../retrieval/filter-values.ts';
import type { Retriever } from '../../retrieval/retriever.ts';
import type { Snapshot } from '../../retrieval/snapshot.ts';
import { strategies } from '../../strategies/strategies.ts';
import type { Strategy } from '../../strategies/strategy.ts';
import { freeCall } from '../../trace/call.ts';
import type { Manifest, Trace, TraceEvent } from '../../trace/trace.ts';
import { thisPackage } from '../package-root.ts';
import { modelManifest, type NamedModel } from '../runs/evaluation-manifest.ts';
import type { Store } from '../storage/store.ts';
import type { SearchedStore } from './searched-store.ts';
import { timedAsk } from './timed-ask.ts';

type Own = 'engine' | 'retriever' | 'rerankers' | 'queryUpdaters' | 'tokenClassifiers' | 'manifest';

export interface AskStoreOptions extends Omit<AskOptions, Own | 'timeLimit'> {
  readonly queryUpdaters?: readonly NamedModel<QueryUpdater>[];
  readonly tokenClassifiers?: readonly NamedModel<TokenClassifiers>[];
}

export interface AskedStore {
  readonly store: Store;
  /** The snapshot that the run reads. */
  readonly engine: Snapshot;
  readonly events: AsyncGenerator<TraceEvent, Trace, void>;
}

/**
 * Checks the filter and loads indexes before the clock of the run starts. Throws `InputError` for a
 * filter on an unknown field.
 */
export async function askStore(
  searched: SearchedStore,
  question: string,
  options: AskStoreOptions,
): Promise<AskedStore> {
  const { store, rerankers, retriever } = searched;
  const { queryUpdaters = [], tokenClassifiers = [], ...given } = options;
  if (typeof question !== 'string' || question.trim() === '')
    throw new InputError('empty-question', 'The question is empty', {
      expected: 'a question in words',
    });
  const engine = await store.snapshot();
  if (given.filter) await checkFilterValues(given.filter, engine, freeCall(given.signal));
  await loadIndexes(retriever.bind(engine, { rerankers }), given);
  const events = timedAsk(question, {
    ...given,
    engine,
    retriever,
    rerankers,
    queryUpdaters: queryUpdaters.map(({ model }) => model),
    tokenClassifiers: tokenClassifiers.map(({ model }) => model),
    manifest: runManifest(searched, options, engine.stale()),
  });
  return { store, engine, events };
}

/** Searches for nothing, which loads each index that the retriever and the strategy read. */
async function loadIndexes(
  retriever: Retriever,
  { strategy, filter }: Pick<AskOptions, 'strategy' | 'filter'>,
): Promise<void> {
  const nothing = [{ text: '' }];
  // Heeds no signal: an aborted run still gets its sealed trace.
  const call = freeCall();
  await retriever.retrieve(nothing, 0, call, filter ? { filter } : {});
  const { units = [] } = typeof strategy === 'object' ? strategy : namedStrategy(strategy);
  for (const unit of units)
    for (const part of retriever.parts ?? [retriever])
      if (part.space === undefined) await part.retrieve(nothing, 0, call, { unit });
}

const namedStrategy = (name: string = DEFAULTS.strategy): Strategy => strategies.create(name);

/** Describes what the run read, and by which models; holds no times and no paths. */
function runManifest(
  { store, identities }: SearchedStore,
  { queryUpdaters, tokenClassifiers, model }: AskStoreOptions,
  stale: readonly Staleness[],
): Manifest {
  const { documents, chunker, segments, spaces = [] } = store.manifest;
  const embedders = {
    ...Object.fromEntries(spaces.map(({ name, id }) => [name, id])),
    ...identities.embedders,
  };
  const models = Object.entries({
    embedders,
    rerankers: identities.rerankers,
    queryUpdaters: identitiesOf(queryUpdaters),
    tokenClassifiers: identitiesOf(tokenClassifiers),
  }).filter(([, ids]) => Object.keys(ids).length > 0);
  const corpus = { documents, chunker, files: segments.map(({ sha256 }) => sha256) };
  return {
    multihop: thisPackage().version,
    corpus,
    ...Object.fromEntries(models),
    ...modelManifest(model),
    ...(stale.length > 0 ? { stale } : {}),
  };
}

const identitiesOf = (
  models: readonly NamedModel<{ readonly id: string }>[] = [],
): Record<string, string> =>
  Object.fromEntries(models.map(({ model, identity }) => [model.id, identity]));
