/** Keeps a store and its models open over many questions. */
import { InputError, PortError } from '../core/errors.ts';
import type { Unit } from '../core/ranking/ranking.ts';
import { takeTurns } from '../platform/clock.ts';
import type { UnboundRetriever } from '../search/retriever.ts';
import { retrievers } from '../search/retrievers.ts';
import { nodeDisk } from '../stores/disk/disk.ts';
import { manifestReader } from '../stores/disk/generation.ts';
import type { StoreRecogniser } from '../stores/disk/kept-graph.ts';
import { LatestRead } from '../stores/disk/latest-read.ts';
import type { Manifest } from '../stores/disk/manifest.ts';
import { Store } from '../stores/disk/store.ts';
import { checkEmbedders, type StoreEmbedder } from '../stores/disk/store-embedders.ts';
import type { StoreOptions } from '../stores/disk/store-options.ts';
import { retrieverInStore } from '../stores/stored-units.ts';
import { ComputedTexts } from './computed-texts.ts';
import type { IngestTarget } from './ingest-store.ts';
import type { ModelSources } from './model-sources.ts';
import { cacheOf, type MayOpen, Models, openedEmbedder } from './models.ts';
import { NO_NOTICES, type Notices } from './notices.ts';
import { retrieverNeeds } from './retriever-needs.ts';
import type { Needing, SearchedStore } from './searched-store.ts';

export interface SessionOptions extends ModelSources {
  readonly store: string;
  readonly create?: boolean;
  readonly chunker?: string | undefined;
  readonly waitMs?: number | undefined;
  /** Units that an ingest embeds. */
  readonly units: readonly Unit[];
  /** Name of the entity recogniser by which the store keeps a graph. */
  readonly graph?: string | undefined;
  readonly notices?: Notices;
  /** Tells which resources may be opened for a question; all of them if undefined. */
  readonly mayOpen?: MayOpen | undefined;
  /** Called before a search fits a space; see `StoreOptions`. */
  readonly onFitting?: StoreOptions['onFitting'];
}

/** Opens each model once, when a question or an ingest first needs it. */
export class StoreSession {
  private readonly options: SessionOptions;
  private readonly models: Models;
  private readonly computed = new ComputedTexts();
  private readonly embedders = new Map<string, StoreEmbedder>();
  private recogniser: StoreRecogniser | undefined;
  private opened: Promise<Store>;
  private readonly newestManifest: LatestRead<Manifest | undefined>;

  private constructor(options: SessionOptions, store: Store) {
    this.options = options;
    this.newestManifest = new LatestRead(manifestReader(nodeDisk, options.store), takeTurns);
    const cache = cacheOf(options.store);
    this.models = new Models({
      ...options,
      ...{ cache, optionalCache: true, ingests: true, onEmbedded: this.computed.add },
    });
    this.opened = Promise.resolve(store);
  }

  static async open(options: SessionOptions): Promise<StoreSession> {
    return new StoreSession(options, await Store.open(options.store, storeOptions(options)));
  }

  /** The store with the embedders that were opened so far. */
  get store(): Promise<Store> {
    return this.opened;
  }

  /** Opens the models that a retriever and other members need. */
  async searched(
    given: string | UnboundRetriever,
    members: readonly Needing[] = [],
  ): Promise<SearchedStore> {
    const manifest = await this.manifest();
    const name = typeof given === 'string' ? retrieverInStore(given, manifest) : given.name;
    const named = typeof given === 'string' || isNamed(name) ? [name] : [];
    const embedders = await this.models.forSearch(named, manifest.spaces ?? []);
    const value = typeof given === 'string' ? [] : (given.needs ?? []);
    const others = members.flatMap(({ needs: own = [] }) => own);
    const needs = [...retrieverNeeds(named), ...value, ...others];
    const provided = await this.models.forNeeds(needs);
    return {
      store: await this.withModels(embedders),
      resources: [...embedders.map(openedEmbedder), ...provided],
      retriever: typeof given === 'string' ? retrievers.create(name) : given,
    };
  }

  /**
   * Opens the models that an ingest embeds by: those given, and those that the store records. A
   * recorded one that cannot be opened gets a note, and leaves new documents without its vectors.
   */
  async forIngest(): Promise<IngestTarget> {
    const { units, store: folder, graph, notices = NO_NOTICES } = this.options;
    const recogniser = graph === undefined ? undefined : await this.models.recogniser(graph);
    const manifest = await this.manifest();
    const { embedders, fitted } = await this.models.forIngest(units);
    checkEmbedders(folder, manifest, embedders, true);
    for (const record of manifest.spaces ?? []) {
      if (embedders.some(({ name }) => name === record.name)) continue;
      try {
        const recorded = await this.models.recorded(record);
        checkEmbedders(folder, manifest, [recorded], true);
        embedders.push(recorded);
      } catch (error) {
        if (!InputError.is(error) && !PortError.is(error)) throw error;
        notices.warn(`New documents get no vectors of ${record.name}: ${error.message}`);
      }
    }
    const store = await this.withModels(embedders, recogniser);
    const spent = () => this.models.graphSpent();
    return { store, fitted, computed: this.computed, spent };
  }

  async close(): Promise<void> {
    try {
      await (await this.opened).close();
    } finally {
      await this.models.close();
    }
  }

  /** Reads the newest manifest, whichever process wrote it. */
  private async manifest(): Promise<Manifest> {
    const manifest = await this.newestManifest.get();
    return manifest ?? (await this.opened).manifest;
  }

  /** Opens the store again if it lacks one of these embedders, or the recogniser. */
  private withModels(
    embedders: readonly StoreEmbedder[],
    recogniser: StoreRecogniser | undefined = this.recogniser,
  ): Promise<Store> {
    const previous = this.opened;
    const opening = async (): Promise<Store> => {
      const store = await previous;
      const more = embedders.filter(one => !covers(this.embedders.get(one.name), one));
      if (more.length === 0 && recogniser?.name === this.recogniser?.name) return store;
      const all = new Map(this.embedders);
      for (const one of more) all.set(one.name, merged(all.get(one.name), one));
      await store.close();
      const given = recogniser ? { recogniser } : {};
      const again = { ...storeOptions(this.options), embedders: [...all.values()], ...given };
      const next = await Store.open(this.options.store, again);
      this.recogniser = recogniser;
      for (const [name, one] of all) this.embedders.set(name, one);
      return next;
    };
    const next = opening();
    // A model that the store refuses leaves the session as it was.
    this.opened = next.catch(() => previous);
    return next;
  }
}

function storeOptions(options: SessionOptions): StoreOptions {
  const { create, chunker, waitMs, notices, onFitting } = options;
  return {
    ...(onFitting ? { onFitting } : {}),
    ...(create === undefined ? {} : { create }),
    ...(chunker === undefined ? {} : { chunker }),
    ...(waitMs === undefined ? {} : { waitMs }),
    ...(notices ? { onWarning: warning => notices.warn(warning.message, warning) } : {}),
  };
}

/** Tells if a member of the family goes by this name; a retriever made in code may not. */
function isNamed(name: string): boolean {
  try {
    retrievers.canonical(name);
    return true;
  } catch {
    return false;
  }
}

const covers = (opened: StoreEmbedder | undefined, wanted: StoreEmbedder): boolean =>
  opened !== undefined && wanted.units.every(unit => opened.units.includes(unit));

const merged = (opened: StoreEmbedder | undefined, more: StoreEmbedder): StoreEmbedder => ({
  ...more,
  units: [...new Set([...(opened?.units ?? []), ...more.units])],
});
