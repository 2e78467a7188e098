/**
 * A store: a folder that holds documents durably, and the indexes over them. An engine like the one
 * in memory, whose writes survive.
 */
import { chunkers } from '../../corpus/chunk.ts';
import type { Document } from '../../corpus/document.ts';
import { InputError, PortError } from '../../errors.ts';
import type { Unit } from '../../ranking/ranking.ts';
import { type DerivedIndex, type DerivedKind, packDerived } from '../../retrieval/derived-index.ts';
import type { StoredDerived } from '../../retrieval/derived-indexes.ts';
import { derivedByKey } from '../../retrieval/derived-kinds.ts';
import { vectorsKey } from '../../retrieval/document-vectors.ts';
import { DEFAULT_CHUNKER, EmbeddedEngine } from '../../retrieval/embedded-engine.ts';
import type { Engine, Stored } from '../../retrieval/engine.ts';
import { fittedKey, fittedOfKey } from '../../retrieval/fitted-space-index.ts';
import type { SegmentedCorpus, StoredSegment } from '../../retrieval/segmented-corpus.ts';
import type { Snapshot } from '../../retrieval/snapshot.ts';
import type { Call } from '../../trace/call.ts';
import { takeTurns } from '../clock.ts';
import { commitManifest } from './commit.ts';
import { createStore } from './create-store.ts';
import { type FindDerived, type MadeDerived, storedDerived } from './derived-files.ts';
import { type Disk, nodeDisk } from './disk.ts';
import { fitSpace, mergedFitted, type OnFitted } from './fitted-spaces.ts';
import { type Generation, readGeneration, readManifest } from './generation.ts';
import { LITTLE_ENDIAN } from './index-file.ts';
import {
  type FittedRecord,
  isCurrent,
  type Manifest,
  namesIndex,
  type SegmentFile,
  withoutIndexes,
} from './manifest.ts';
import { builtIndexes, withDerived, withDocuments, withIndexes } from './next-generation.ts';
import { type PlannedWrite, planDocuments, planRemove } from './plan-write.ts';
import { checkDocument, corpusDigest } from './segment.ts';
import {
  checkEmbedders,
  embedDocuments,
  mergedRecords,
  named,
  type OnEmbedded,
  STORE_TEMPLATE,
  type StoreEmbedder,
} from './store-embedders.ts';
import { type OnWarning, storedIndexes } from './stored-indexes.ts';
import { type StoreReport, verifyStore } from './verify-store.ts';
import type { LockOptions } from './write-lock.ts';
import { WriteTurns } from './write-turns.ts';

export interface StoreOptions {
  /** Makes the store when the folder is missing or empty. */
  readonly create?: boolean;
  /**
   * How documents are cut. A store has one chunker for ever; naming another one is an
   * `InputError('other-chunker')`.
   */
  readonly chunker?: string;
  /** How long a write waits for another writer, in milliseconds; 5,000 when missing. */
  readonly waitMs?: number;
  /**
   * What `dense(NAME)` embeds its queries by, and `embed` the documents. Each must be the one that
   * the store was embedded with.
   */
  readonly embedders?: readonly StoreEmbedder[];
  /**
   * Told when a search has to fit a space such as `lsa`, for it is not stored of these documents.
   */
  readonly onFitting?: (unit: Unit, space: string) => void;
  /** Told of a damaged index, which is then built again from the documents. */
  readonly onWarning?: OnWarning;
  /** Kinds of derived indexes; `DERIVED_KINDS` if missing. */
  readonly kinds?: readonly DerivedKind[];
  /** The file system; this machine's when missing. */
  readonly disk?: Disk;
}

export class Store implements Engine, AsyncDisposable {
  readonly folder: string;
  private readonly disk: Disk;
  private readonly options: StoreOptions;
  private generation: Generation;
  /** Of this generation; made when first searched, so that a write does not pay for it. */
  private searched: EmbeddedEngine | undefined;
  /** The segments of this generation in memory, which a write of this process carries along. */
  private corpus: SegmentedCorpus | undefined;
  /** Likewise, and carried along from write to write. */
  private byId: Map<string, Document> | undefined;
  /** A write was asked for, so the indexes are this store's to write. */
  private touched = false;
  private readonly turns: WriteTurns;

  private constructor(folder: string, options: StoreOptions, generation: Generation) {
    this.folder = folder;
    this.options = options;
    this.disk = options.disk ?? nodeDisk;
    this.generation = generation;
    this.turns = new WriteTurns(this.disk, folder, options.waitMs, () => this.refresh());
  }

  /** Throws a `PortError` whose code stands in `STORE_CODES`. Takes no lock. */
  static async open(folder: string, options: StoreOptions = {}): Promise<Store> {
    const disk = options.disk ?? nodeDisk;
    const wanted = options.chunker === undefined ? undefined : chunkers.canonical(options.chunker);
    const manifest =
      (await readManifest(disk, folder)) ??
      (await createStore(disk, folder, wanted ?? chunkers.canonical(DEFAULT_CHUNKER), options));
    if (wanted !== undefined && wanted !== manifest.chunker)
      throw new InputError(
        'other-chunker',
        `The store "${folder}" cuts its documents in another way`,
        {
          expected: manifest.chunker,
          received: wanted,
          hint: 'Leave the chunker out, or ingest the documents into a new store.',
        },
      );
    checkEmbedders(folder, manifest, options.embedders ?? []);
    return new Store(folder, options, await readGeneration(disk, folder, manifest));
  }

  /** What the folder holds, as `store.json` says it. */
  get manifest(): Manifest {
    return this.generation.manifest;
  }

  /**
   * Returns once the documents are on the disk. On any error nothing of the batch is stored, or all
   * of it.
   */
  put(documents: readonly Document[], call: Call): Promise<Stored> {
    return this.write(call, async () => {
      for (const document of documents) checkDocument(document);
      return this.commitPlan(planDocuments(this.documentsById(), documents));
    });
  }

  /**
   * Removes documents, from the disk too; what was embedded of the others is kept. Throws
   * `InputError('unknown-id')` before removing any.
   */
  remove(ids: readonly string[], call: Call): Promise<Stored> {
    return this.write(call, async () => this.commitPlan(planRemove(this.documentsById(), ids)));
  }

  /** The newest state on the disk, whoever wrote it. */
  async snapshot(): Promise<Snapshot> {
    await this.refresh();
    return this.engine.snapshot();
  }

  /**
   * Writes the indexes when a write was asked for and they are missing. The store can be used on.
   */
  async close(): Promise<void> {
    const missing = withoutIndexes(this.manifest);
    if (this.touched && missing.length > 0) await this.writeIndexes(missing);
    this.touched = false;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /**
   * Writes the indexes of files of documents anew, of all files unless some are named; not if
   * another process wrote documents meanwhile: then they are its to write.
   */
  async writeIndexes(files: readonly SegmentFile[] = this.manifest.segments): Promise<void> {
    if (!LITTLE_ENDIAN || this.generation.manifest.documents === 0) return;
    const { generation } = this.generation.manifest;
    const built = builtIndexes(this.generation, files);
    await this.locked({}, async () => {
      if (this.generation.manifest.generation !== generation) return;
      await this.commit(await withIndexes(this.disk, this.folder, this.generation, built));
    });
  }

  /**
   * Embeds the documents without vectors by the embedders that the store was opened with, and writes
   * them, unless another process wrote documents meanwhile. Throws
   * `PortError('other-embedder')` or `'other-template'` before any work.
   */
  async embed(call: Call, onEmbedded?: OnEmbedded): Promise<void> {
    const { embedders = [] } = this.options;
    checkEmbedders(this.folder, this.manifest, embedders, true);
    if (!LITTLE_ENDIAN || embedders.length === 0) return;
    const start = this.generation;
    const spaces = mergedRecords(start.manifest.spaces ?? [], embedders);
    const snapshot = this.engine.current;
    const stored = this.storedDerived();
    const made: MadeDerived[] = [];
    for (const one of embedders)
      for (const unit of spaces.find(({ name }) => name === one.name)!.units) {
        const key = vectorsKey(unit, one.name);
        if (isCurrent(start.manifest, key) && stored.read(key)) continue;
        made.push(await embedDocuments(snapshot, unit, one, call, onEmbedded));
      }
    if (made.length === 0 && JSON.stringify(spaces) === JSON.stringify(start.manifest.spaces))
      return;
    await this.commitDerived(start, { spaces }, made, call, () =>
      checkEmbedders(this.folder, this.manifest, embedders, true),
    );
  }

  /**
   * Fits these spaces, such as `lsa`, and those of earlier calls on the documents where they are
   * missing or stale, and writes them, unless another process wrote documents meanwhile. Until then
   * searches use a stale space and fold new documents in.
   */
  async fit(
    asked: readonly FittedRecord[],
    call: Call,
    onFitted: OnFitted = () => {},
  ): Promise<void> {
    const start = this.generation;
    const fitted = mergedFitted(start.manifest.fitted ?? [], asked);
    if (!LITTLE_ENDIAN || fitted.length === 0 || start.manifest.documents === 0) return;
    const snapshot = this.engine.current;
    const stored = this.storedDerived();
    const made: MadeDerived[] = [];
    for (const { space, units } of fitted)
      for (const unit of units) {
        // A fit runs for seconds without a pause: hears an abort between two.
        await takeTurns();
        call.signal.throwIfAborted();
        const key = fittedKey(unit, space);
        if (isCurrent(start.manifest, key) && stored.read(key)) continue;
        made.push(await fitSpace(snapshot, unit, space, call));
        onFitted(unit, space, snapshot.itemsOf(unit).items.length);
      }
    if (made.length === 0 && JSON.stringify(fitted) === JSON.stringify(start.manifest.fitted))
      return;
    await this.commitDerived(start, { fitted }, made, call);
  }

  /** Brings a derived index up to date, or builds it, and keeps it in the store. */
  async keep(derived: DerivedIndex, call: Call): Promise<void> {
    const start = this.generation;
    if (!LITTLE_ENDIAN || start.manifest.documents === 0) return;
    const { key } = derived;
    if (isCurrent(start.manifest, key) && this.storedDerived().read(key)) return;
    const snapshot = this.engine.current;
    const { index, members } = await snapshot.openDerived(derived, call, { fresh: !derived.add });
    const packed = packDerived(derived, index, members);
    await this.commitDerived(start, {}, [{ key, packed, documents: members.size }], call);
  }

  /**
   * Rebuilds the derived indexes that are stale or damaged, beside those of embedders and fitted
   * spaces, which `embed` and `fit` bring up to date.
   */
  async rebuild(call: Call): Promise<void> {
    const { derived = [], spaces = [], fitted = [] } = this.manifest;
    const others = new Set([
      ...spaces.flatMap(({ name, units }) => units.map(unit => vectorsKey(unit, name))),
      ...fitted.flatMap(({ space, units }) => units.map(unit => fittedKey(unit, space))),
    ]);
    for (const { key } of derived) if (!others.has(key)) await this.keep(this.find(key), call);
  }

  private readonly find: FindDerived = key => derivedByKey(key, this.options.kinds);

  /** Checks every byte: checksums, documents, and each index against one built anew. */
  verify(): Promise<StoreReport> {
    return verifyStore(this.folder, this.disk, this.options.kinds);
  }

  /** The same for any two stores with the same documents and chunker, whatever happened to them. */
  digest(): string {
    return corpusDigest(this.documents(), this.manifest.chunker);
  }

  /** Only where no other process wrote meanwhile. `check` is made under the lock. */
  private async commitDerived(
    start: Generation,
    records: Pick<Manifest, 'spaces' | 'fitted'>,
    made: readonly MadeDerived[],
    call: Call,
    check: () => void = () => {},
  ): Promise<void> {
    await this.locked({ signal: call.signal }, async () => {
      check();
      if (this.generation.manifest.generation !== start.manifest.generation) return;
      await this.commit(await withDerived(this.disk, this.folder, this.generation, records, made));
    });
  }

  private storedDerived(onBuilding?: (key: string) => void): StoredDerived {
    return storedDerived(this.disk, this.folder, this.manifest, {
      onWarning: this.onWarning,
      onBuilding,
    });
  }

  private documents(): Document[] {
    return this.generation.segments.flatMap(segment => segment.documents);
  }

  private documentsById(): Map<string, Document> {
    this.byId ??= new Map(
      this.generation.segments.flatMap(({ documents }) =>
        documents.map(document => [document.id, document] as const),
      ),
    );
    return this.byId;
  }

  private get engine(): EmbeddedEngine {
    if (!this.searched) {
      const { chunker } = this.manifest;
      const derived = this.storedDerived(key => {
        const fitted = fittedOfKey(key);
        if (fitted) this.options.onFitting?.(fitted.unit, fitted.space);
      });
      const embedders = (this.options.embedders ?? []).map(named);
      this.searched = new EmbeddedEngine({
        ...(this.corpus ? { corpus: this.corpus } : { segments: this.storedSegments() }),
        chunker,
        derived,
        embedders,
        template: STORE_TEMPLATE,
      });
    }
    return this.searched;
  }

  private storedSegments(): StoredSegment[] {
    // Segments in memory outlive files that a later write replaced.
    const isThere = (file: string): boolean => namesIndex(this.manifest, file);
    return this.generation.segments.map(({ file, documents }) => ({
      documents,
      indexes: storedIndexes(this.disk, this.folder, file, isThere, this.onWarning),
    }));
  }

  private openCorpus(): SegmentedCorpus | undefined {
    return this.searched?.current.corpus ?? this.corpus;
  }

  private async commitPlan({ put, gone, stored }: PlannedWrite): Promise<Stored> {
    if (put.length === 0 && gone.size === 0) return stored;
    const byId = this.documentsById();
    const before = this.openCorpus();
    await this.commit(
      await withDocuments(this.disk, this.folder, this.generation, { put, gone }, this.find),
    );
    if (before) this.corpus = put.length > 0 ? before.put(put, gone) : before.remove(gone);
    for (const id of gone) byId.delete(id);
    for (const document of put) byId.set(document.id, document);
    this.byId = byId;
    return stored;
  }

  private readonly onWarning: OnWarning = warning => this.options.onWarning?.(warning);

  private async write<T>(call: Call, work: () => Promise<T>): Promise<T> {
    call.signal.throwIfAborted();
    this.touched = true;
    return this.turns.queue({ signal: call.signal }, work);
  }

  private locked<T>(options: LockOptions, work: () => Promise<T>): Promise<T> {
    return this.turns.locked(options, work);
  }

  private async refresh(): Promise<void> {
    const manifest = await readManifest(this.disk, this.folder);
    if (!manifest) throw new PortError('store', 'no-store', `The store "${this.folder}" is gone`);
    if (manifest.generation === this.manifest.generation) return;
    const generation = await readGeneration(this.disk, this.folder, manifest, this.generation);
    // A write of this process may have gone further meanwhile.
    if (generation.manifest.generation > this.manifest.generation) this.adopt(generation);
  }

  private async commit(generation: Generation): Promise<void> {
    await commitManifest(this.disk, this.folder, generation.manifest);
    const corpus = this.openCorpus();
    this.adopt(generation);
    this.corpus = corpus;
  }

  private adopt(generation: Generation): void {
    this.generation = generation;
    this.searched = undefined;
    this.corpus = undefined;
    this.byId = undefined;
  }
}
