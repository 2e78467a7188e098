/** A corpus in the memory of this process. */
import type { Document } from '../../core/corpus/document.ts';
import type { Call } from '../../core/trace/call.ts';
import { EmbeddedEngine, type EmbeddedOptions } from '../../search/embedded-engine.ts';
import type { Stored } from '../../search/engine.ts';
import type {
  Place,
  PlaceEmbedder,
  PlaceModels,
  PlaceSnapshot,
  PlaceState,
} from '../../search/place.ts';
import { spaceEmbedder } from '../../stores/disk/store-embedders.ts';
import { embeddedSnapshot } from './embedded-snapshot.ts';

export type MemoryOptions = Pick<EmbeddedOptions, 'chunker' | 'documents' | 'template'>;

export class MemoryPlace implements Place {
  readonly label = 'memory:';
  readonly buildsIndexes = true;
  private readonly options: MemoryOptions;
  private readonly embedders = new Map<string, PlaceEmbedder>();
  private opened: EmbeddedEngine | undefined;

  constructor(options: MemoryOptions = {}) {
    this.options = options;
  }

  async state(): Promise<PlaceState> {
    const spaces = [...this.embedders.values()].map(({ name, units, embedder }) => ({
      name,
      id: embedder.id,
      dimensions: embedder.dimensions,
      units,
    }));
    const { corpus, chunker } = this.engine.current;
    return { documents: corpus.size, chunker: chunker.name, spaces };
  }

  /** Vectors of earlier models are computed anew where they are searched. */
  async use({ embedders }: PlaceModels): Promise<void> {
    const more = embedders.filter(({ name }) => !this.embedders.has(name));
    if (more.length === 0) return;
    for (const added of more) this.embedders.set(added.name, added);
    const { corpus } = this.opened?.current ?? {};
    this.opened = corpus && this.engineOver({ corpus });
  }

  async snapshot(): Promise<PlaceSnapshot> {
    const snapshot = await this.engine.snapshot();
    const { corpus, chunker } = snapshot;
    return embeddedSnapshot(snapshot, { documents: corpus.size, chunker: chunker.name });
  }

  put(documents: readonly Document[], call: Call): Promise<Stored> {
    return this.engine.put(documents, call);
  }

  remove(ids: readonly string[], call: Call): Promise<Stored> {
    return this.engine.remove(ids, call);
  }

  /** Vectors and indexes are computed when they are first searched. */
  async complete(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}

  private get engine(): EmbeddedEngine {
    this.opened ??= this.engineOver({ documents: this.options.documents });
    return this.opened;
  }

  private engineOver(holding: Pick<EmbeddedOptions, 'corpus' | 'documents'>): EmbeddedEngine {
    const { chunker, template } = this.options;
    const embedders = [...this.embedders.values()].map(spaceEmbedder);
    return new EmbeddedEngine({ ...holding, chunker, template, embedders });
  }
}
