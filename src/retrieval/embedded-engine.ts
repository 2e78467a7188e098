/** The engine in this process: a store of documents whose every state is an immutable snapshot. */
import { chunkers } from '../corpus/chunk.ts';
import type { Chunker } from '../corpus/chunker.ts';
import type { Document } from '../corpus/document.ts';
import type { Embedder } from '../models/embedder.ts';
import type { Call } from '../trace/call.ts';
import { Embeddings } from './embeddings.ts';
import type { Engine, Stored } from './engine.ts';
import { cutBy } from './items.ts';
import { type PlannedPut, planPut } from './plan-put.ts';
import type { PackedIndexes } from './segment.ts';
import { SegmentedCorpus, type StoredSegment } from './segmented-corpus.ts';
import { type ServePorts, Snapshot } from './snapshot.ts';
import type { TextTemplate } from './text-templates.ts';
import type { StoredVectors } from './vector-spaces.ts';

export interface EmbeddedOptions {
  /** How documents are cut into passages; `tokens(size=256, overlap=32)` when missing. */
  readonly chunker?: string | Chunker;
  /** Documents to begin with. */
  readonly documents?: Iterable<Document>;
  /** Packed indexes of exactly these documents. */
  readonly stored?: PackedIndexes;
  /** Further documents to begin with, each list with its packed indexes. */
  readonly segments?: Iterable<StoredSegment>;
  /** Packed vectors over exactly these documents, read by the same template. */
  readonly vectors?: StoredVectors | undefined;
  /** A vector space each, named by the embedder's id, beside `lsa`, which every engine has. */
  readonly embedders?: readonly Embedder[];
  /**
   * What embedders read of passages and queries: a name of `textTemplates`, or one's own; `header`
   * when missing.
   */
  readonly template?: string | TextTemplate;
  /** Ports of one's own over each snapshot, beside `VECTORS` and `EXPLAIN`. */
  readonly ports?: ServePorts;
}

export const DEFAULT_CHUNKER = 'tokens';

/** Writes replace the current snapshot; whoever holds an older one keeps reading it unchanged. */
export class EmbeddedEngine implements Engine {
  private newest: Snapshot;
  private readonly embeddings: Embeddings;
  private readonly ports: ServePorts | undefined;

  constructor(options: EmbeddedOptions = {}) {
    this.embeddings = new Embeddings(options.embedders, options.template);
    const chunker = options.chunker ?? DEFAULT_CHUNKER;
    const cut = typeof chunker === 'string' ? chunkers.create(chunker) : chunker;
    this.ports = options.ports;
    const { documents = [], stored, segments = [] } = options;
    const first = { documents, ...(stored ? { indexes: stored } : {}) };
    const corpus = SegmentedCorpus.of([first, ...segments], cutBy(cut));
    this.newest = new Snapshot(corpus, cut, this.embeddings, options.vectors, options.ports);
  }

  /** The newest state, which later writes do not change. */
  get current(): Snapshot {
    return this.newest;
  }

  /**
   * Returns the documents of a batch that a put would write, and the counts. Throws
   * `InputError('duplicate-id')`.
   */
  plan(documents: readonly Document[]): PlannedPut {
    return planPut(documents, id => {
      const found = this.current.corpus.find(id);
      return found?.segment.segment.documents[found.position];
    });
  }

  /**
   * Passages of new and changed documents are embedded before anything is stored: when that fails,
   * nothing of the batch is.
   */
  async put(documents: readonly Document[], call: Call): Promise<Stored> {
    call.signal.throwIfAborted();
    if (this.embeddings.embedders.size > 0) await this.embed(documents, call);
    // Planned after the wait: other writes may have come between, and this one replaces none of
    // them.
    const { written, stored } = this.plan(documents);
    if (written.length > 0) this.become(this.current.corpus.put(written));
    return stored;
  }

  private async embed(documents: readonly Document[], call: Call): Promise<void> {
    const { written } = this.plan(documents);
    const { cut } = this.current.corpus;
    for (const embedder of this.embeddings.embedders.values())
      await this.embeddings.of(embedder, 'passage', written, cut, call);
  }

  async remove(ids: readonly string[], call: Call): Promise<Stored> {
    call.signal.throwIfAborted();
    await this.current.read('document', ids, call);
    const gone = new Set(ids);
    if (gone.size > 0) this.become(this.current.corpus.remove(gone));
    return { added: 0, changed: 0, unchanged: 0, removed: gone.size };
  }

  /**
   * Merges all segments into one. A put merges as many as keep their number logarithmic; this is
   * for a moment without work, before many questions. Searches find the same before and after.
   */
  merge(): void {
    const { corpus } = this.current;
    const merged = corpus.merged();
    if (merged !== corpus) this.become(merged);
  }

  private become(corpus: SegmentedCorpus): void {
    const { chunker } = this.current;
    this.newest = new Snapshot(corpus, chunker, this.embeddings, undefined, this.ports);
  }

  async snapshot(): Promise<Snapshot> {
    return this.current;
  }
}
