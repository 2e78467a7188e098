/** Opens a store with the models that a retriever and a strategy need to search it. */
import type { Reranker } from '../../models/reranker.ts';
import type { Unit } from '../../ranking/ranking.ts';
import type { UnboundRetriever } from '../../retrieval/retriever.ts';
import { retrievers } from '../../retrieval/retrievers.ts';
import type { Strategy } from '../../strategies/strategy.ts';
import type { NamedModel } from '../runs/evaluation-manifest.ts';
import { nodeDisk } from '../storage/disk.ts';
import { readManifest } from '../storage/generation.ts';
import { Store } from '../storage/store.ts';
import type { StoreEmbedder } from '../storage/store-embedders.ts';
import { retrieverInStore } from '../stored-units.ts';
import type { ModelSources } from './model-sources.ts';
import { cacheOf, Models } from './models.ts';
import { NO_NOTICES, type Notices } from './notices.ts';

export interface SearchedStoreOptions extends ModelSources {
  /** Folder of the store. */
  readonly store: string;
  readonly retriever: string;
  readonly strategy?: Pick<Strategy, 'reranker'>;
  readonly notices?: Notices;
  /** Called if a search has to fit a space such as `lsa` that the store does not hold. */
  readonly onFitting?: (unit: Unit, space: string) => void;
  /** Called once a space, if a search has to embed texts that were not embedded at ingest. */
  readonly onSearchEmbeds?: (space: string) => void;
}

export interface SearchedStore {
  readonly store: Store;
  readonly rerankers: readonly Reranker[];
  /** Identities of the models by the names that retriever and strategy call them. */
  readonly identities: Readonly<
    Record<'embedders' | 'rerankers', Readonly<Record<string, string>>>
  >;
  /** Searches the units that this store has vectors of; see `retrieverInStore`. */
  readonly retriever: UnboundRetriever;
}

/**
 * Opens only the models that this retriever and this strategy need, and closes them after `work`.
 * Searches a read-only store too: its cache is optional.
 */
export async function withSearchedStore<T>(
  options: SearchedStoreOptions,
  work: (searched: SearchedStore) => Promise<T>,
): Promise<T> {
  const models = new Models({ ...options, cache: cacheOf(options.store), optionalCache: true });
  try {
    return await work(await openSearchedStore(options, models));
  } finally {
    await models.close();
  }
}

async function openSearchedStore(
  options: SearchedStoreOptions,
  models: Models,
): Promise<SearchedStore> {
  const { store: folder, strategy, notices = NO_NOTICES, onFitting } = options;
  const opening = {
    onWarning: ({ message }: { readonly message: string }) => notices.warn(message),
    ...(onFitting ? { onFitting } : {}),
  };
  const manifest = await readManifest(nodeDisk, folder);
  // Refuses a folder that is no store before any model is loaded.
  if (!manifest) await Store.open(folder, opening);
  const retriever = retrieverInStore(options.retriever, manifest ?? {});
  const embedders = await models.forSearch([retriever], manifest?.spaces ?? []);
  const rerankers = await models.rerankers([retriever], strategy ? [strategy] : []);
  return {
    store: await Store.open(folder, { ...opening, embedders }),
    rerankers: rerankers.map(({ model }) => model),
    identities: identitiesOf(embedders, rerankers),
    retriever: retrievers.create(retriever),
  };
}

/** Returns the identities of models by the names that retriever and strategy call them. */
export const identitiesOf = (
  embedders: readonly StoreEmbedder[],
  rerankers: readonly NamedModel<Reranker>[],
): SearchedStore['identities'] => ({
  embedders: Object.fromEntries(embedders.map(({ name, embedder }) => [name, embedder.id])),
  rerankers: Object.fromEntries(rerankers.map(({ model, identity }) => [model.id, identity])),
});
