/** Holds the newest generation that a store knows, and what its searches and writes make of it. */
import type { Document } from '../../core/corpus/document.ts';
import type { SegmentedCorpus } from '../../search/corpus/segmented-corpus.ts';
import type { StoredDerived } from '../../search/derived/derived-indexes.ts';
import type { EmbeddedEngine } from '../../search/embedded-engine.ts';
import { storedDerived } from './derived-files.ts';
import type { Disk } from './disk.ts';
import type { Generation } from './generation.ts';
import { namesIndex } from './manifest.ts';
import type { OnWarning } from './read-packed.ts';
import { storeEngine } from './store-engine.ts';
import type { StoreOptions } from './store-options.ts';

export class OpenGeneration {
  generation: Generation;
  private readonly disk: Disk;
  private readonly folder: string;
  private readonly options: StoreOptions;
  /**
   * The engine of this generation; created at the first search, so that writes do not pay for it.
   */
  private searched: EmbeddedEngine | undefined;
  /** The segments of this generation in memory, which a write of this process carries over. */
  private carried: SegmentedCorpus | undefined;
  /** Documents of this generation by id, which a write of this process carries over. */
  private byId: Map<string, Document> | undefined;

  constructor(disk: Disk, folder: string, options: StoreOptions, generation: Generation) {
    this.disk = disk;
    this.folder = folder;
    this.options = options;
    this.generation = generation;
  }

  readonly onWarning: OnWarning = warning => this.options.onWarning?.(warning);

  /** Goes on with another generation; `corpus`: its segments in memory. */
  adopt(generation: Generation, corpus?: SegmentedCorpus): void {
    this.generation = generation;
    this.searched = undefined;
    this.carried = corpus;
    this.byId = undefined;
  }

  /** Takes over the documents of the generation by id. */
  carryOver(byId: Map<string, Document>): void {
    this.byId = byId;
  }

  /** The segments of this generation, if they are in memory. */
  get corpus(): SegmentedCorpus | undefined {
    return this.searched?.current.corpus ?? this.carried;
  }

  get engine(): EmbeddedEngine {
    const { disk, folder, generation, options, carried: corpus, onWarning } = this;
    this.searched ??= storeEngine({
      disk,
      folder,
      generation,
      options,
      corpus,
      onWarning,
      isThere: file => namesIndex(this.generation.manifest, file),
    });
    return this.searched;
  }

  documents(): Document[] {
    return this.generation.segments.flatMap(segment => segment.documents);
  }

  documentsById(): Map<string, Document> {
    this.byId ??= new Map(
      this.generation.segments.flatMap(({ documents }) =>
        documents.map(document => [document.id, document] as const),
      ),
    );
    return this.byId;
  }

  storedDerived(): StoredDerived {
    const { disk, folder, onWarning } = this;
    return storedDerived(disk, folder, this.generation.manifest, { onWarning });
  }
}
