/** A store on the disk of this machine. */
import type { Document } from '../../core/corpus/document.ts';
import { PortError } from '../../core/errors.ts';
import type { Call } from '../../core/trace/call.ts';
import { takeTurns } from '../../platform/clock.ts';
import type { Stored } from '../../search/engine.ts';
import type {
  Place,
  PlaceEmbedder,
  PlaceModels,
  PlaceSnapshot,
  PlaceSpace,
  PlaceState,
} from '../../search/place.ts';
import { vectorsKey } from '../../search/vectors/document-vectors.ts';
import { nodeDisk } from '../../stores/disk/disk.ts';
import { manifestReader } from '../../stores/disk/generation.ts';
import { LatestRead } from '../../stores/disk/latest-read.ts';
import { isCurrent, type Manifest } from '../../stores/disk/manifest.ts';
import { filesRead, ReadAhead } from '../../stores/disk/read-ahead.ts';
import { Store } from '../../stores/disk/store.ts';
import type { StoreOptions } from '../../stores/disk/store-options.ts';
import { embeddedSnapshot } from './embedded-snapshot.ts';
import { MemoryPlace } from './memory-place.ts';

type OfStore = 'create' | 'chunker' | 'waitMs' | 'onWarning' | 'onBuilding' | 'onGraph';

export interface FolderOptions extends Pick<StoreOptions, OfStore> {
  /**
   * Keys of indexes that are read while models are opened, with the documents; without it nothing
   * is read ahead.
   */
  readonly ahead?: readonly string[] | undefined;
}

/**
 * Opens the store when it is first read or written, so that its models can be opened before and a
 * model that cannot be opened leaves no store behind.
 */
export class FolderPlace implements Place {
  readonly label: string;
  readonly buildsIndexes = true;
  private readonly options: FolderOptions;
  private readonly newest: LatestRead<Manifest | undefined>;
  private models: PlaceModels = { embedders: [] };
  private opened: Promise<Store> | undefined;
  private ahead: ReadAhead | undefined;

  private constructor(folder: string, options: FolderOptions) {
    this.label = folder;
    this.options = options;
    this.newest = new LatestRead(manifestReader(nodeDisk, folder), takeTurns);
  }

  /** Throws `PortError` for a folder that is no store, unless it may become a store. */
  static async open(folder: string, options: FolderOptions = {}): Promise<FolderPlace> {
    const place = new FolderPlace(folder, options);
    const manifest = await place.newest.get();
    if (!manifest && options.create !== true) await place.store();
    if (manifest && options.ahead)
      place.ahead = new ReadAhead(nodeDisk, folder, filesRead(nodeDisk, manifest, options.ahead));
    return place;
  }

  /** The store with the models that are in use. */
  store(): Promise<Store> {
    return this.opened ?? this.reopen(async () => this.models);
  }

  async state(): Promise<PlaceState> {
    const manifest = await this.manifest();
    if (!manifest) return this.unmade().state();
    const { documents, chunker, spaces = [], graph, claims } = manifest;
    const isPartial = ({ name, units }: PlaceSpace): boolean =>
      units.some(unit => !isCurrent(manifest, vectorsKey(unit, name)));
    return {
      documents,
      chunker,
      graph: graph?.id,
      claims: claims?.id,
      spaces: spaces.map(space => ({ ...space, isPartial: isPartial(space) })),
    };
  }

  /** Opens the store again if it lacks one of the embedders, the recogniser or the claims. */
  async use({ embedders, recogniser, claims }: PlaceModels): Promise<void> {
    await this.reopen(async () => {
      const { models } = this;
      const known = new Map(models.embedders.map(embedder => [embedder.name, embedder]));
      const more = embedders.filter(embedder => !covers(known.get(embedder.name), embedder));
      const isKnown =
        (recogniser === undefined || recogniser.name === models.recogniser?.name) &&
        (claims === undefined || claims.name === models.claims?.name);
      if (more.length === 0 && isKnown) return models;
      for (const embedder of more)
        known.set(embedder.name, merged(known.get(embedder.name), embedder));
      return {
        embedders: [...known.values()],
        recogniser: recogniser ?? models.recogniser,
        claims: claims ?? models.claims,
      };
    });
  }

  async snapshot(): Promise<PlaceSnapshot> {
    if (!this.opened && !(await this.manifest())) return this.unmade().snapshot();
    const store = await this.store();
    const engine = await store.snapshot();
    // The manifest of this snapshot: another write may follow while indexes are loaded.
    const { documents, chunker, segments } = store.manifest;
    return embeddedSnapshot(engine, {
      documents,
      chunker,
      files: segments.map(({ sha256 }) => sha256),
    });
  }

  async put(documents: readonly Document[], call: Call): Promise<Stored> {
    return (await this.store()).put(documents, call);
  }

  async remove(ids: readonly string[], call: Call): Promise<Stored> {
    return (await this.store()).remove(ids, call);
  }

  async complete(call: Call): Promise<void> {
    const store = await this.store();
    await store.embed(call);
    await store.close(call);
  }

  /** Writes the indexes of what this process wrote. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await (await this.opened?.catch(() => undefined))?.close();
    } finally {
      this.ahead?.[Symbol.dispose]();
    }
  }

  /** Stands for a store that is made at its first write. */
  private unmade(): MemoryPlace {
    return new MemoryPlace({ chunker: this.options.chunker });
  }

  /** Reads the newest manifest, whichever process wrote it; undefined if a store may be made. */
  private async manifest(): Promise<Manifest | undefined> {
    const manifest = await this.newest.get();
    if (manifest) return manifest;
    if (this.opened) throw new PortError('store', 'no-store', `The store "${this.label}" is gone`);
    return this.options.create ? undefined : (await this.store()).manifest;
  }

  /** One after another: a model that the store refuses leaves it as it was. */
  private reopen(choose: () => Promise<PlaceModels>): Promise<Store> {
    const previous = this.opened;
    const opening = async (): Promise<Store> => {
      const store = await previous;
      const models = await choose();
      if (store && models === this.models) return store;
      await store?.close();
      const next = await this.openStore(models);
      this.models = models;
      return next;
    };
    const next = opening();
    this.opened = next.catch(error => {
      if (previous) return previous;
      this.opened = undefined;
      throw error;
    });
    this.opened.catch(() => {});
    return next;
  }

  private async openStore(models: PlaceModels): Promise<Store> {
    const { ahead: _, ...options } = this.options;
    const disk = this.ahead?.disk;
    const store = await Store.open(this.label, { ...options, ...models, disk });
    await this.ahead?.settled();
    return store;
  }
}

const covers = (opened: PlaceEmbedder | undefined, asked: PlaceEmbedder): boolean =>
  opened !== undefined && asked.units.every(unit => opened.units.includes(unit));

const merged = (opened: PlaceEmbedder | undefined, more: PlaceEmbedder): PlaceEmbedder => ({
  ...more,
  units: [...new Set([...(opened?.units ?? []), ...more.units])],
});
