/** Opens a store with the models that a retriever and other members of a run need. */

import type { Unit } from '../core/ranking/ranking.ts';
import type { Need } from '../models/port.ts';
import type { UnboundRetriever } from '../search/retriever.ts';
import { retrievers } from '../search/retrievers.ts';
import { nodeDisk } from '../stores/disk/disk.ts';
import { readManifest } from '../stores/disk/generation.ts';
import type { Manifest } from '../stores/disk/manifest.ts';
import { filesRead, ReadAhead } from '../stores/disk/read-ahead.ts';
import type { StoreWarning } from '../stores/disk/read-packed.ts';
import { Store } from '../stores/disk/store.ts';
import { retrieverInStore } from '../stores/stored-units.ts';
import type { ModelSources } from './model-sources.ts';
import { cacheOf, Models, openedEmbedder } from './models.ts';
import { NO_NOTICES, type Notices } from './notices.ts';
import type { OpenedResource } from './opened-resources.ts';
import { retrieverNeeds } from './retriever-needs.ts';

/** A member whose resources are opened with the store. */
export interface Needing {
  readonly needs?: readonly Need[];
}

export interface SearchedStoreOptions extends ModelSources {
  /** Folder of the store. */
  readonly store: string;
  readonly retriever: string;
  /** The strategy and the reader, if the store is asked. */
  readonly members?: readonly Needing[];
  readonly notices?: Notices;
  /** Keys of indexes that are read while the store is opened; others are read at first use. */
  readonly indexes?: readonly string[];
  /** Called if a search has to fit a space such as `lsa` that the store does not hold. */
  readonly onFitting?: (unit: Unit, space: string) => void;
  /** Called before a search builds a part of the graph of sentences that the store lacks. */
  readonly onGraph?: (key: string) => void;
  /** Called once, if a search has to build indexes that the store lacks. */
  readonly onBuilding?: () => void;
  /** Called once a space, if a search has to embed texts that were not embedded at ingest. */
  readonly onSearchEmbeds?: (space: string) => void;
}

export interface SearchedStore {
  readonly store: Store;
  /** Embedders of the store, and the resources that a provider knows by name. */
  readonly resources: readonly OpenedResource[];
  /** Searches the units that this store has vectors of; see `retrieverInStore`. */
  readonly retriever: UnboundRetriever;
}

/**
 * Opens only the models that the retriever and the members need, and closes them after `work`.
 * Searches a read-only store too: its cache is optional.
 */
export async function withSearchedStore<T>(
  options: SearchedStoreOptions,
  work: (searched: SearchedStore) => Promise<T>,
): Promise<T> {
  const models = new Models({ ...options, cache: cacheOf(options.store), optionalCache: true });
  try {
    const manifest = await readManifest(nodeDisk, options.store);
    const files = manifest ? filesRead(manifest, options.indexes ?? []) : [];
    using ahead = new ReadAhead(nodeDisk, options.store, files);
    return await work(await openSearchedStore(options, models, { manifest, ahead }));
  } finally {
    await models.close();
  }
}

async function openSearchedStore(
  options: SearchedStoreOptions,
  models: Models,
  { manifest, ahead }: { readonly manifest: Manifest | undefined; readonly ahead: ReadAhead },
): Promise<SearchedStore> {
  const { store: folder, members = [], notices = NO_NOTICES } = options;
  const { onFitting, onBuilding, onGraph } = options;
  const opening = {
    onWarning: (warning: StoreWarning) => notices.warn(warning.message, warning),
    ...(onFitting ? { onFitting } : {}),
    ...(onBuilding ? { onBuilding } : {}),
    ...(onGraph ? { onGraph } : {}),
  };
  // Refuses a folder that is no store before any model is loaded.
  if (!manifest) await Store.open(folder, opening);
  const retriever = retrieverInStore(options.retriever, manifest ?? {});
  const embedders = await models.forSearch([retriever], manifest?.spaces ?? []);
  const needs = [...retrieverNeeds([retriever]), ...members.flatMap(({ needs: own = [] }) => own)];
  const provided = await models.forNeeds(needs);
  const store = await Store.open(folder, { ...opening, embedders, disk: ahead.disk });
  await ahead.settled();
  return {
    store,
    resources: [...embedders.map(openedEmbedder), ...provided],
    retriever: retrievers.create(retriever),
  };
}
