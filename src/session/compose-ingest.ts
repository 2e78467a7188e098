/** Opens a store with the models of one ingest. */
import type { Unit } from '../core/ranking/ranking.ts';
import { Store } from '../stores/disk/store.ts';
import { checkEmbedders } from '../stores/disk/store-embedders.ts';
import { ComputedTexts } from './computed-texts.ts';
import type { IngestTarget } from './ingest-store.ts';
import type { ModelSources } from './model-sources.ts';
import { cacheOf, Models } from './models.ts';
import { NO_NOTICES, type Notices } from './notices.ts';

export interface ComposedIngestOptions extends ModelSources {
  /** Folder of the store. */
  readonly store: string;
  /** Units that the embedders embed. */
  readonly units: readonly Unit[];
  readonly create?: boolean;
  readonly chunker?: string | undefined;
  /** Name of the entity recogniser by which the store keeps a graph. */
  readonly graph?: string | undefined;
  readonly notices?: Notices;
}

export interface ComposedIngest extends IngestTarget {
  /** Opened models; they are closed after `work`. */
  readonly models: Models;
}

/**
 * Opens the models and then the store, so that a model that cannot be opened leaves no store
 * behind. Closes the models after `work`. Throws `InputError`, or `PortError` if the store has
 * other vectors of a model.
 */
export async function withIngest<T>(
  options: ComposedIngestOptions,
  work: (target: ComposedIngest) => Promise<T>,
): Promise<T> {
  const { store: folder, units, create = true, chunker, graph, notices = NO_NOTICES } = options;
  const computed = new ComputedTexts();
  const models = new Models({ ...options, cache: cacheOf(folder), onEmbedded: computed.add });
  try {
    const { embedders, fitted } = await models.forIngest(units);
    const recogniser = graph === undefined ? undefined : await models.recogniser(graph);
    const store = await Store.open(folder, {
      ...{ create, embedders, ...(chunker === undefined ? {} : { chunker }) },
      ...(recogniser ? { recogniser } : {}),
      onWarning: warning => notices.warn(warning.message, warning),
    });
    checkEmbedders(folder, store.manifest, embedders, true);
    const spent = () => models.graphSpent();
    return await work({ store, fitted, computed, models, spent });
  } finally {
    await models.close();
  }
}
