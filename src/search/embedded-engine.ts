/** The engine in this process: a store of documents whose every state is an immutable snapshot. */
import { chunkers } from '../core/corpus/chunk.ts';
import type { Chunker } from '../core/corpus/chunker.ts';
import type { Document } from '../core/corpus/document.ts';
import { InputError } from '../core/errors.ts';
import { type Call, freeCall } from '../core/trace/call.ts';
import type { ClaimGenerator } from '../models/claim-generator.ts';
import type { Embedder } from '../models/embedder.ts';
import type { EntityRecogniser } from '../models/entity-recogniser.ts';
import { cutBy } from './corpus/items.ts';
import { type PlannedPut, planPut } from './corpus/plan-put.ts';
import { SegmentedCorpus, type StoredSegment } from './corpus/segmented-corpus.ts';
import { WrittenIds } from './corpus/written-ids.ts';
import { DerivedIndexes, type StoredDerived } from './derived/derived-indexes.ts';
import type { Engine, Stored } from './engine.ts';
import { type ServePorts, Snapshot } from './snapshot.ts';
import { documentVectors } from './vectors/document-vectors.ts';
import { Embedding } from './vectors/embedding.ts';
import type { TextTemplate } from './vectors/text-templates.ts';

export interface EmbeddedOptions {
  /** Cuts documents into passages; `tokens(size=256, overlap=32)` if missing. */
  readonly chunker?: string | Chunker;
  /** Documents to begin with. */
  readonly documents?: Iterable<Document>;
  /** Further documents to begin with, each list with its packed indexes. */
  readonly segments?: Iterable<StoredSegment>;
  /** The corpus to begin with instead, cut by the same chunker: that of another engine. */
  readonly corpus?: SegmentedCorpus;
  /** Derived indexes that are stored outside, of these or of earlier documents. */
  readonly derived?: StoredDerived | undefined;
  /** A vector space each, named by the embedder's id. */
  readonly embedders?: readonly Embedder[];
  /**
   * Template of the texts that embedders read of passages and queries: a name of `textTemplates`,
   * or one's own; `header` if missing.
   */
  readonly template?: string | TextTemplate;
  /** Finds the entities that join sentences; by spelling if missing. */
  readonly recogniser?: EntityRecogniser;
  /** Generates the claims of a claim base; the engine has none if missing. */
  readonly claims?: ClaimGenerator | undefined;
  /** Ports of one's own over each snapshot, beside `VECTORS` and `EXPLAIN`. */
  readonly ports?: ServePorts;
}

export const DEFAULT_CHUNKER = 'tokens';

/**
 * Replaces its snapshot at every write; older snapshots stay as they are.
 *
 * @example
 * ```ts
 * import { ask } from 'multihop';
 * import { EmbeddedEngine } from 'multihop/retrieval';
 *
 * const engine = new EmbeddedEngine({
 *   chunker: 'sentences',
 *   documents: [
 *     { id: 'a', title: 'Engine', text: 'Charles built the engine in London.', metadata: {} },
 *     { id: 'b', title: 'Program', text: 'Ada wrote the program.', metadata: {} },
 *   ],
 * });
 * console.log((await ask('Who built the engine?', { engine })).answer.kind); // answered
 * ```
 */
export class EmbeddedEngine implements Engine {
  private newest: Snapshot;
  private readonly embedding: Embedding;
  private readonly derived: DerivedIndexes;
  private readonly ports: ServePorts | undefined;
  private readonly ids: WrittenIds = new WrittenIds();

  constructor(options: EmbeddedOptions = {}) {
    const { embedders, template, recogniser, claims } = options;
    this.embedding = new Embedding(embedders, template, recogniser, claims);
    this.derived = new DerivedIndexes(options.derived);
    const chunker = options.chunker ?? DEFAULT_CHUNKER;
    const cut = typeof chunker === 'string' ? chunkers.create(chunker) : chunker;
    this.ports = options.ports;
    const { documents = [], segments = [] } = options;
    const corpus = options.corpus ?? SegmentedCorpus.of([{ documents }, ...segments], cutBy(cut));
    this.newest = new Snapshot(corpus, cut, this.embedding, this.derived, options.ports);
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
    const { corpus } = this.current;
    this.ids.expect(documents.length, corpus);
    return planPut(documents, id => {
      const place = this.ids.mayHave(id) ? corpus.find(id) : undefined;
      return place?.segment.segment.documents[place.position];
    });
  }

  /**
   * Embeds the passages of new and changed documents before it stores any: a failure to embed
   * stores nothing of the batch.
   */
  async put(documents: readonly Document[], call: Call = freeCall()): Promise<Stored> {
    call.signal.throwIfAborted();
    if (this.embedding.embedders.size > 0) await this.embed(documents, call);
    // Plans after the wait, so that writes that came between are not replaced.
    const { written, replaced, stored } = this.plan(documents);
    if (written.length > 0) {
      this.become(this.current.corpus.put(written, replaced));
      this.derived.outdate();
      this.ids.add(written);
    }
    return stored;
  }

  private async embed(documents: readonly Document[], call: Call): Promise<void> {
    const { written } = this.plan(documents);
    const { cut } = this.current.corpus;
    const { embedders, template } = this.embedding;
    for (const embedder of embedders.values())
      await this.derived.prepare(
        documentVectors(embedder, 'passage', template),
        { documents: written, cut },
        call,
      );
  }

  async remove(ids: readonly string[], call: Call = freeCall()): Promise<Stored> {
    call.signal.throwIfAborted();
    // Looks ids up and removes them without a wait between, in which another write could come.
    const { corpus } = this.current;
    const gone = new Set(ids);
    for (const id of gone)
      if (!corpus.find(id)) throw new InputError('unknown-id', `Unknown document "${id}"`);
    if (gone.size > 0) {
      this.become(corpus.remove(gone));
      this.derived.forget(gone);
      this.ids.remove(gone);
    }
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
    this.newest = new Snapshot(corpus, chunker, this.embedding, this.derived, this.ports);
  }

  async snapshot(): Promise<Snapshot> {
    return this.current;
  }
}
