/**
 * Implements the durable engine: a store is a folder that holds documents and the indexes over
 * them.
 */
import { chunkers } from '../../core/corpus/chunk.ts';
import type { Document } from '../../core/corpus/document.ts';
import { defined } from '../../core/defined.ts';
import { InputError, PortError } from '../../core/errors.ts';
import type { Call } from '../../core/trace/call.ts';
import { pausesFor, takeTurns } from '../../platform/clock.ts';
import { claimBase, isClaimsKey } from '../../search/claims/stored-claims.ts';
import type { SegmentedCorpus } from '../../search/corpus/segmented-corpus.ts';
import { type DerivedIndex, packDerived } from '../../search/derived/derived-index.ts';
import { derivedByKey } from '../../search/derived/derived-kinds.ts';
import { DEFAULT_CHUNKER } from '../../search/embedded-engine.ts';
import type { Engine, Stored } from '../../search/engine.ts';
import type { Snapshot } from '../../search/snapshot.ts';
import { vectorsKey } from '../../search/vectors/document-vectors.ts';
import { indexesOf } from './build-indexes.ts';
import { commitManifest, purgeOrphans } from './commit.ts';
import { createStore } from './create-store.ts';
import type { MadeDerived } from './derived-files.ts';
import { type Disk, nodeDisk } from './disk.ts';
import { type Generation, manifestReader, readGeneration, readManifest } from './generation.ts';
import { LITTLE_ENDIAN } from './index-file.ts';
import { IndexThread } from './index-thread.ts';
import { keptClaims } from './kept-claims.ts';
import { keptGraph, modelKeys, type OnGraph, reporting } from './kept-graph.ts';
import { DraftDocument } from './late-documents.ts';
import { LatestRead } from './latest-read.ts';
import { isCurrent, type Manifest, type SegmentFile, withoutIndexes } from './manifest.ts';
import { withDerived, withDocuments, withIndexes } from './next-generation.ts';
import { warnOfOlder } from './older-manifest.ts';
import { OpenGeneration } from './open-generation.ts';
import { type PlannedWrite, planDocuments, planRemove } from './plan-write.ts';
import { checkDocument, corpusDigest } from './segment.ts';
import { type ChangeFiles, type FileChange, withSources } from './source-files.ts';
import {
  checkEmbedders,
  embedDocuments,
  mergedRecords,
  type OnEmbedded,
} from './store-embedders.ts';
import type { StoreOptions } from './store-options.ts';
import { type StoreReport, verifyStore } from './verify-store.ts';
import type { LockOptions } from './write-lock.ts';
import { WriteTurns } from './write-turns.ts';

/** Records of a manifest about derived indexes. */
type DerivedRecord = Pick<Manifest, 'spaces' | 'graph' | 'claims'>;

export class Store implements Engine, AsyncDisposable {
  readonly folder: string;
  private readonly disk: Disk;
  private readonly options: StoreOptions;
  private readonly newest: OpenGeneration;
  /** True once a write was requested: then this store writes missing indexes on close. */
  private touched = false;
  private readonly turns: WriteTurns;
  private readonly newestManifest: LatestRead<Manifest | undefined>;

  private constructor(folder: string, options: StoreOptions, generation: Generation) {
    this.folder = folder;
    this.options = options;
    this.disk = options.disk ?? nodeDisk;
    this.newestManifest = new LatestRead(manifestReader(this.disk, folder), takeTurns);
    this.newest = new OpenGeneration(this.disk, folder, options, generation);
    this.turns = new WriteTurns(this.disk, folder, options.waitMs, how => this.refresh(how));
  }

  /**
   * Opens a store. Throws a `PortError` with a code of `STORE_CODES`, or
   * `InputError('other-chunker')`. Takes no lock.
   */
  static async open(folder: string, options: StoreOptions = {}): Promise<Store> {
    const disk = options.disk ?? nodeDisk;
    const canonical =
      options.chunker === undefined ? undefined : chunkers.canonical(options.chunker);
    const manifest =
      (await readManifest(disk, folder)) ??
      (await createStore(disk, folder, canonical ?? chunkers.canonical(DEFAULT_CHUNKER), options));
    if (canonical !== undefined && canonical !== manifest.chunker)
      throw new InputError('other-chunker', `The store "${folder}" uses another chunker`, {
        expected: manifest.chunker,
        received: canonical,
        hint: 'Omit the chunker, or ingest the documents into a new store.',
      });
    checkEmbedders(folder, manifest, options.embedders ?? []);
    await warnOfOlder(disk, folder, manifest, options.onWarning);
    const warn = options.onWarning;
    return new Store(folder, options, await readGeneration(disk, folder, manifest, { warn }));
  }

  /** The content of `store.json`. */
  get manifest(): Manifest {
    return this.newest.generation.manifest;
  }

  /**
   * Writes documents; returns once they are on the disk. On any error either none or all of the
   * batch are stored. `files` tells which files they were read from.
   */
  put(documents: readonly Document[], call: Call, files?: FileChange): Promise<Stored> {
    return this.write(call, async () => {
      for (const document of documents)
        if (!(document instanceof DraftDocument)) checkDocument(document);
      return this.commitPlan(planDocuments(this.newest.documentsById(), documents), call, files);
    });
  }

  /** Writes what is known of the files that documents were read from, if that changes. */
  recordFiles(call: Call, change: ChangeFiles): Promise<void> {
    return this.write(call, async () => {
      const { disk, folder } = this;
      const { generation, onWarning } = this.newest;
      const isStored = (id: string): boolean => this.newest.documentsById().has(id);
      const next = await withSources(disk, folder, generation, change, { isStored, onWarning });
      if (next) await this.commit(next);
    });
  }

  /**
   * Removes documents, also from the disk; vectors of the others are kept. Throws
   * `InputError('unknown-id')` before removing any.
   */
  remove(ids: readonly string[], call: Call): Promise<Stored> {
    return this.write(call, async () =>
      this.commitPlan(planRemove(this.newest.documentsById(), ids), call),
    );
  }

  /**
   * Deletes files that belong to no generation, whatever their age: left by killed writers, or of a
   * newer `store.json` that an older one replaced. Returns their names.
   */
  purge(call: Call): Promise<string[]> {
    return this.write(call, () => purgeOrphans(this.disk, this.folder, this.manifest));
  }

  /**
   * Reads the newest manifest, whichever process wrote it; callers that come together share a read.
   * Throws `PortError('no-store')`, or another code of `STORE_CODES`.
   */
  async onDisk(): Promise<Manifest> {
    const manifest = await this.newestManifest.get();
    if (manifest) return manifest;
    throw new PortError('store', 'no-store', `The store "${this.folder}" is gone`);
  }

  /** Returns a snapshot of the newest state on the disk, whoever wrote it. */
  async snapshot(): Promise<Snapshot> {
    await this.refresh();
    return this.newest.engine.snapshot();
  }

  /**
   * Writes missing indexes if a write was requested; throws the reason of an abort. The store
   * remains usable.
   */
  async close({ signal }: Partial<Call> = {}): Promise<void> {
    const missing = withoutIndexes(this.manifest);
    const { touched } = this;
    // A write may come while indexes are built: the close after it writes those of its documents.
    this.touched = false;
    try {
      if (touched && missing.length > 0) await this.writeIndexes(missing, signal);
    } catch (error) {
      this.touched = true;
      throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /**
   * Writes the indexes of files of documents anew, by default of all files; writes none if another
   * process wrote documents meanwhile, which then writes them.
   */
  async writeIndexes(
    files: readonly SegmentFile[] = this.manifest.segments,
    signal?: AbortSignal,
  ): Promise<void> {
    if (!LITTLE_ENDIAN || this.newest.generation.manifest.documents === 0) return;
    const pause = pausesFor(signal);
    await using thread = new IndexThread();
    // File by file: the indexes of one are on the disk before those of the next are in memory.
    for (const { sha256 } of files) {
      const { segments, manifest } = this.newest.generation;
      const { generation, chunker } = manifest;
      const segment = segments.find(({ file }) => file.sha256 === sha256);
      if (!segment) continue;
      const built = new Map([[sha256, await indexesOf(segment, chunker, pause, thread)]]);
      const isWritten = await this.locked(signal ? { signal } : {}, async () => {
        if (this.newest.generation.manifest.generation !== generation) return false;
        await this.commit(
          await withIndexes(this.disk, this.folder, this.newest.generation, built, pause),
        );
        return true;
      });
      if (!isWritten) return;
    }
  }

  /**
   * Embeds documents without vectors with the embedders of the options, and writes the vectors
   * unless another process wrote documents meanwhile. Throws `PortError('other-embedder')` or
   * `'other-template'` before any work.
   */
  async embed(call: Call, onEmbedded?: OnEmbedded): Promise<void> {
    const { embedders = [] } = this.options;
    checkEmbedders(this.folder, this.manifest, embedders, true);
    if (!LITTLE_ENDIAN || embedders.length === 0) return;
    const start = this.newest.generation;
    const spaces = mergedRecords(start.manifest.spaces ?? [], embedders);
    const snapshot = this.newest.engine.current;
    const stored = this.newest.storedDerived();
    const made: MadeDerived[] = [];
    for (const space of embedders)
      for (const unit of spaces.find(({ name }) => name === space.name)!.units) {
        const key = vectorsKey(unit, space.name);
        if (isCurrent(start.manifest, key) && stored.read(key)) continue;
        made.push(await embedDocuments(snapshot, unit, space, call, onEmbedded));
      }
    if (made.length === 0 && JSON.stringify(spaces) === JSON.stringify(start.manifest.spaces))
      return;
    await this.commitDerived(start, { spaces }, made, call, () =>
      checkEmbedders(this.folder, this.manifest, embedders, true),
    );
  }

  /** Updates or builds a derived index and stores it, with the record of what it is of. */
  async keep(derived: DerivedIndex, call: Call, record: DerivedRecord = {}): Promise<void> {
    const start = this.newest.generation;
    if (!LITTLE_ENDIAN || start.manifest.documents === 0) return;
    const { key } = derived;
    const merged = { ...start.manifest, ...record };
    const recorded = JSON.stringify(merged) === JSON.stringify(start.manifest);
    if (recorded && isCurrent(start.manifest, key) && this.newest.storedDerived().read(key)) return;
    const snapshot = this.newest.engine.current;
    const { index, members } = await snapshot.openDerived(derived, call);
    const packed = packDerived(derived, index, members);
    const made = { key, packed, documents: members.size };
    await this.commitDerived(start, record, [made], call);
  }

  /** True if the store keeps a graph of sentences or claims, or begins to at the next ingest. */
  get keepsGraph(): boolean {
    const { graph, claims } = this.manifest;
    return (graph ?? claims ?? this.options.recogniser ?? this.options.claims) !== undefined;
  }

  /**
   * Brings the graph of sentences up to date that the store keeps, or begins to keep by the
   * recogniser of the options: entities, and the nearest sentences of the embedders of the options;
   * and its claim base.
   */
  async keepGraph(call: Call, onGraph: OnGraph = () => {}): Promise<void> {
    const { recogniser, embedders = [], claims: given } = this.options;
    const graph = keptGraph(this.manifest, recogniser, embedders, onGraph);
    for (const index of graph?.indexes ?? [])
      await this.keep(index, call, { graph: graph!.record });
    const claims = keptClaims(this.manifest, given);
    if (!claims) return;
    const { name, generator } = claims;
    const base = reporting(claimBase(generator) as DerivedIndex, onGraph);
    await this.keep(base, call, { claims: { name, id: generator.id } });
  }

  /**
   * Brings derived indexes up to date that are behind or damaged, except those of embedders and of
   * recognisers that are models, and claims, which `embed` and `keepGraph` update.
   */
  async rebuild(call: Call): Promise<void> {
    const { derived = [], spaces = [] } = this.manifest;
    const others = new Set([
      ...spaces.flatMap(({ name, units }) => units.map(unit => vectorsKey(unit, name))),
      ...modelKeys(this.manifest),
    ]);
    for (const { key } of derived)
      if (!(others.has(key) || isClaimsKey(key))) await this.keep(derivedByKey(key), call);
  }

  /** Verifies every byte: checksums, documents, and each index against a rebuilt one. */
  verify(): Promise<StoreReport> {
    return verifyStore(this.folder, this.disk);
  }

  /**
   * Returns a digest that is equal for any two stores with equal documents and chunkers, whatever
   * their history.
   */
  digest(): string {
    return corpusDigest(this.newest.documents(), this.manifest.chunker);
  }

  /**
   * Commits derived indexes unless another process wrote meanwhile. Calls `check` under the lock.
   */
  private async commitDerived(
    start: Generation,
    records: DerivedRecord,
    made: readonly MadeDerived[],
    call: Call,
    check: () => void = () => {},
  ): Promise<void> {
    await this.locked({ signal: call.signal }, async () => {
      check();
      if (this.newest.generation.manifest.generation !== start.manifest.generation) return;
      await this.commit(
        await withDerived(this.disk, this.folder, this.newest.generation, records, made),
      );
    });
  }

  private async commitPlan(
    plan: PlannedWrite,
    { signal }: Call,
    files?: FileChange,
  ): Promise<Stored> {
    const { put, gone, stored } = plan;
    if (put.length === 0 && gone.size === 0) return stored;
    const byId = this.newest.documentsById();
    const before = this.newest.corpus;
    const change = { put, gone, files, pause: pausesFor(signal) };
    await this.commit(
      await withDocuments(this.disk, this.folder, this.newest.generation, change),
      // The last file holds what was put, first.
      ({ segments }) =>
        put.length > 0
          ? before?.put(segments.at(-1)!.documents.slice(0, put.length), gone)
          : before?.remove(gone),
    );
    for (const id of gone) byId.delete(id);
    const written = put.length > 0 ? this.newest.generation.segments.at(-1)!.documents : [];
    for (const document of written) byId.set(document.id, document);
    this.newest.carryOver(byId);
    return stored;
  }

  private async write<T>(call: Call, work: () => Promise<T>): Promise<T> {
    call.signal.throwIfAborted();
    this.touched = true;
    return this.turns.queue({ signal: call.signal }, work);
  }

  private locked<T>(options: LockOptions, work: () => Promise<T>): Promise<T> {
    return this.turns.locked(options, work);
  }

  /** `anew`: reads and checks all documents, as if the store were opened again. */
  private async refresh({ anew = false }: { readonly anew?: boolean } = {}): Promise<void> {
    const manifest = await this.onDisk();
    if (manifest.generation === this.manifest.generation && !anew) return;
    const generation = await readGeneration(
      this.disk,
      this.folder,
      manifest,
      defined({ known: anew ? undefined : this.newest.generation, warn: this.newest.onWarning }),
    );
    // A write of this process may have committed a newer generation meanwhile.
    if (anew || generation.manifest.generation > this.manifest.generation)
      this.newest.adopt(generation);
  }

  /** `corpusAfter`: the segments in memory after the write; those before it if missing. */
  private async commit(
    generation: Generation,
    corpusAfter: (next: Generation) => SegmentedCorpus | undefined = () => this.newest.corpus,
  ): Promise<void> {
    const manifests = { before: this.manifest, next: generation.manifest };
    await commitManifest(this.disk, this.folder, manifests, () => this.turns.check());
    await this.turns.note(generation.manifest.generation);
    const corpus = corpusAfter(generation);
    this.newest.adopt(generation, corpus);
  }
}
