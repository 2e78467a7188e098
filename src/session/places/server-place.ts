/** An engine on a server: PostgreSQL or OpenSearch. */
import type { Document } from '../../core/corpus/document.ts';
import { PortError } from '../../core/errors.ts';
import { type Call, freeCall } from '../../core/trace/call.ts';
import type { Stored } from '../../search/engine.ts';
import type {
  Place,
  PlaceEmbedder,
  PlaceModels,
  PlaceSnapshot,
  PlaceState,
} from '../../search/place.ts';
import { spaceEmbedder } from '../../stores/disk/store-embedders.ts';
import { engineAddress } from '../../stores/servers/engine-address.ts';
import { openEngine } from '../../stores/servers/open-engine.ts';
import type { RemoteEngine, RemoteEngineOptions } from '../../stores/servers/remote-engine.ts';
import { OneAtATime } from '../one-at-a-time.ts';
import { MemoryPlace } from './memory-place.ts';

export type ServerOptions = Pick<RemoteEngineOptions, 'create' | 'chunker' | 'env' | 'timeoutMs'>;

/** Connects when it is first read; a new engine is made at the first write, with its models. */
export class ServerPlace implements Place {
  readonly label: string;
  readonly buildsIndexes = false;
  private readonly url: string;
  private readonly options: ServerOptions;
  private readonly embedders = new Map<string, PlaceEmbedder>();
  /** The last is in use; runs may still read by the others. */
  private readonly opened: RemoteEngine[] = [];
  private readonly turns = new OneAtATime();

  constructor(url: string, options: ServerOptions = {}) {
    this.url = url;
    this.options = options;
    this.label = engineAddress(url, options.env).label.slice(1, -1);
  }

  async state(call: Call): Promise<PlaceState> {
    const engine = await this.turns.run(() => this.found());
    if (!engine) return this.unmade().state();
    const { documents, chunker, spaces } = await engine.state(call);
    return { documents, chunker, spaces: spaces.map(space => ({ ...space, id: space.name })) };
  }

  /** All spaces of an engine that exists have its units and its template. */
  async use({ embedders }: PlaceModels): Promise<void> {
    await this.turns.run(async () => {
      const more = embedders.filter(({ name }) => !this.embedders.has(name));
      if (more.length === 0) return;
      const all = [...this.embedders.values(), ...more];
      const [space] = (await (await this.found())?.state(freeCall()))?.spaces ?? [];
      const units = space?.units ?? [...new Set(all.flatMap(embedder => embedder.units))];
      const template = space ? space.template : all.find(embedder => embedder.template)?.template;
      const models = { embedders: all.map(spaceEmbedder), units, template };
      this.opened.push(await openEngine(this.url, { ...this.options, ...models }));
      for (const added of more) this.embedders.set(added.name, added);
    });
  }

  async snapshot(): Promise<PlaceSnapshot> {
    const engine = await this.turns.run(() => this.found());
    if (!engine) return this.unmade().snapshot();
    const snapshot = await engine.snapshot();
    const { documents, chunker, generation } = snapshot.shows;
    return {
      engine: snapshot,
      corpus: { documents, chunker, engine: this.label, generation },
      page: (request, call) => snapshot.page(request, call),
      count: (filter, call) => snapshot.count(filter, call),
      [Symbol.asyncDispose]: () => snapshot[Symbol.asyncDispose](),
    };
  }

  async put(documents: readonly Document[], call: Call): Promise<Stored> {
    const engine = await this.turns.run(async () => {
      const { opened, url, options } = this;
      if (opened.length === 0) opened.push(await openEngine(url, options));
      return opened.at(-1)!;
    });
    return engine.put(documents, call);
  }

  async remove(ids: readonly string[], call: Call): Promise<Stored> {
    const engine = (await this.turns.run(() => this.found())) ?? this.unmade();
    return engine.remove(ids, call);
  }

  /** Vectors were written with their documents, and the server keeps the indexes. */
  async complete(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {
    await this.turns.idle();
    for (const engine of this.opened.splice(0)) await engine.close();
  }

  /** Stands for an engine that is made at its first write. */
  private unmade(): MemoryPlace {
    return new MemoryPlace({ chunker: this.options.chunker });
  }

  /** Returns undefined if there is none yet, and one may be made. */
  private async found(): Promise<RemoteEngine | undefined> {
    const { opened, url, options } = this;
    try {
      if (opened.length === 0) opened.push(await openEngine(url, { ...options, create: false }));
    } catch (error) {
      if (options.create === false || !isMissing(error)) throw error;
    }
    return opened.at(-1);
  }
}

const isMissing = (error: unknown): boolean => PortError.is(error) && error.code === 'no-engine';
