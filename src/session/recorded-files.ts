/** Compares the files of an ingest with those that the store was made of, and records them. */
import { join } from 'node:path';
import type { Document } from '../core/corpus/document.ts';
import { defined } from '../core/defined.ts';
import {
  FilePlan,
  type FoundDocument,
  type KnownIds,
  type PlannedFile,
} from '../documents/files/file-plan.ts';
import { isPage, type Repeated, siblingPages } from '../documents/files/repeated-blocks.ts';
import type { Roots } from '../documents/files/roots.ts';
import { hasMoved, statedOf } from '../documents/files/stated-ids.ts';
import type { WalkedFile, WalkedSkip } from '../documents/files/walk.ts';
import type { SkippedEvent } from '../documents/format.ts';
import type { KeptWords } from '../documents/kept-words.ts';
import { thisPackage } from '../platform/package-root.ts';
import type { RootRecord } from '../stores/disk/manifest.ts';
import {
  type FileChange,
  type FileState,
  type FilesChange,
  fileKey,
  type KnownFiles,
  type SkippedPlace,
  type SourceLine,
  type SourceRecord,
} from '../stores/disk/source-files.ts';
import { digestOf, isSameFile } from './file-digest.ts';

/** Raised with every change of what the readers make of a file: all files are then read again. */
const READERS = 13;
/** Time in which a file may change again without another time of change, in milliseconds. */
const YOUNG_MS = 2000;

/** Stands before the digest of what pages of a folder repeat. */
const REPEATED = ' repeated ';

/** A document that took the id of a document of another file. */
export interface Replaced {
  readonly id: string;
  /** The file that held it. */
  readonly before: SourceRecord;
  /** The file that holds it now. */
  readonly path: string;
}

export interface RecordedFilesOptions {
  readonly format: string | undefined;
  /** Recognises a folder that was renamed. */
  readonly sync: boolean;
  /** Tells if a file that the store knows is still on the disk. */
  readonly isThere: (record: Pick<SourceRecord, 'root' | 'path'>) => boolean;
}

interface OpenFile extends Pick<PlannedFile, 'key' | 'root' | 'below'> {
  /** Id of the document that the whole file makes. The source itself would keep the bytes. */
  readonly id: string;
  readonly state: FileState;
  readonly ids: string[];
  /** Documents that are not stored yet. */
  waiting: number;
  words?: KeptWords | undefined;
  readonly notes: Set<string>;
  record?: SourceRecord;
}

export class RecordedFiles extends FilePlan {
  private readonly taken: Replaced[] = [];
  private readonly known: ReadonlyMap<string, SourceRecord>;
  /** The key of the known file that has the document of an id. */
  private readonly holders = new Map<string, string>();
  private readonly isThere: RecordedFilesOptions['isThere'];
  /** Roots that may have another name now. */
  private readonly rootsKnown: readonly RootRecord[];
  /** Folders that were renamed, with the names of their roots. */
  readonly renamed: { readonly root: string; readonly folder: string }[] = [];
  private readonly by: string;
  /** By folder: tells if every page of it is as it was read. */
  private readonly settled = new Map<string, boolean>();
  private pageCounts: Map<string, number> | undefined;
  /** Records of this ingest, by key. */
  private readonly records = new Map<string, SourceRecord>();
  private readonly open = new Map<string, OpenFile>();
  private readonly fileOf = new Map<string, OpenFile>();

  constructor(roots: Roots, known: KnownFiles, { format, sync, isThere }: RecordedFilesOptions) {
    super(roots);
    this.isThere = isThere;
    this.rootsKnown = sync ? known.roots : [];
    this.known = known.records;
    this.by = [thisPackage().version, READERS, format].filter(part => part !== undefined).join(' ');
    for (const [key, { id, ids }] of known.records) {
      this.owners.set(id, key);
      for (const held of ids) if (!this.holders.has(held)) this.holders.set(held, key);
    }
  }

  get knowsFiles(): boolean {
    return this.known.size > 0;
  }

  override async file(walked: WalkedFile): Promise<PlannedFile | undefined> {
    const placed = this.met(walked);
    if (!placed) return undefined;
    const before = this.known.get(placed.key);
    const { size } = walked.source;
    const isNamed = before === undefined || (await this.isNamed(before));
    if (isNamed && (await this.isSettled(placed, walked))) return this.unchanged(placed, before!);
    const file = { ...placed, repeated: await this.repeatedOf(walked, placed) };
    const by = this.byWith(file.repeated);
    const mayBeSame =
      isNamed && before?.read?.by === by && before.read.size === size && !before.skipped;
    if (mayBeSame && before.read.modified === walked.modified) return this.unchanged(file, before);
    const state: FileState = {
      size,
      modified: Date.now() - walked.modified > YOUNG_MS ? walked.modified : 0,
      sha256: await digestOf(walked.source),
      by,
    };
    if (mayBeSame && before.read.sha256 === state.sha256)
      return this.unchanged(file, { ...before, read: state });
    const { key, root, below, source } = file;
    this.open.set(key, {
      key,
      root,
      below,
      id: source.id,
      state,
      ids: [],
      waiting: 0,
      notes: new Set(),
    });
    return file;
  }

  /**
   * Tells if a file, and for a page of a folder every page beside it, is as it was read: then no
   * page need be read to know what they repeat.
   */
  private async isSettled({ key, root, below }: PlannedFile, walked: WalkedFile): Promise<boolean> {
    const { source, isRequested, leavesOut } = walked;
    if (!this.isUnchanged(key, walked)) return false;
    const { read } = this.known.get(key)!;
    if (isRequested || !isPage(source.path)) return !read!.by.includes(REPEATED);
    const folder = below.slice(0, below.lastIndexOf('/') + 1);
    const id = fileKey(root, folder);
    let settled = this.settled.get(id);
    if (settled === undefined) {
      const pages = await siblingPages(source.path, leavesOut);
      settled =
        pages.length === this.knownPages(root, folder) &&
        pages.every(page => this.isRead(`${id}${page.name}`, page));
      this.settled.set(id, settled);
    }
    return settled;
  }

  /** Returns the number of pages of a folder that the store knows. */
  private knownPages(root: string, folder: string): number {
    if (!this.pageCounts) {
      this.pageCounts = new Map();
      for (const record of this.known.values()) {
        if (!isPage(record.path)) continue;
        const of = fileKey(record.root, record.path.slice(0, record.path.lastIndexOf('/') + 1));
        this.pageCounts.set(of, (this.pageCounts.get(of) ?? 0) + 1);
      }
    }
    return this.pageCounts.get(fileKey(root, folder)) ?? 0;
  }

  private byWith(repeated: Repeated | undefined): string {
    return repeated?.digest ? `${this.by}${REPEATED}${repeated.digest}` : this.by;
  }

  override passed({ folder, below, skipped }: WalkedSkip): void {
    if (below === '') return;
    const { root, below: path } = this.placeOf(folder, below);
    const key = fileKey(root.name, path);
    if (this.seen.has(key)) return;
    this.seen.add(key);
    const { ids = [], left } = this.known.get(key) ?? {};
    const reasons = [{ reason: skipped }];
    const record = { root: root.name, path, id: path, ids, left, skipped: reasons };
    this.records.set(key, defined(record));
  }

  override found(file: PlannedFile, { document, words, notes = [] }: FoundDocument): void {
    const open = this.open.get(file.key)!;
    const holder = this.holders.get(document.id);
    const before = holder === undefined ? undefined : this.known.get(holder);
    if (before && holder !== file.key)
      this.taken.push({ id: document.id, before, path: file.source.path });
    open.ids.push(document.id);
    open.words = words;
    for (const note of notes) open.notes.add(note);
    open.waiting++;
    this.fileOf.set(document.id, open);
  }

  override done(file: PlannedFile, skipped: readonly SkippedEvent[]): void {
    const open = this.open.get(file.key)!;
    open.record = this.recordOf(open, skipped);
    this.records.set(file.key, open.record);
    if (open.ids.length === 0) this.open.delete(file.key);
  }

  /**
   * Finds the folder that is gone of whose files most stand in the new folder, at the same paths
   * with the same content: it was renamed.
   */
  protected override async before(folder: string): Promise<RootRecord | undefined> {
    let best: { readonly root: RootRecord; readonly same: number } | undefined;
    for (const root of this.rootsKnown) {
      const isTaken = this.renamed.some(each => each.root === root.name);
      if (isTaken || root.at === undefined || this.isThere({ root: root.name, path: '' })) continue;
      const records = [...this.known.values()].filter(
        record => record.root === root.name && record.read?.sha256,
      );
      let same = 0;
      for (const { path, read } of records) if (await isSameFile(join(folder, path), read!)) same++;
      if (2 * same > records.length && same > (best?.same ?? 0)) best = { root, same };
    }
    if (best) this.renamed.push({ root: best.root.name, folder });
    return best?.root;
  }

  /** Tells if the documents of a file would have the same ids if it were read now. */
  private async isNamed({ id: fileId, ids }: SourceRecord): Promise<boolean> {
    if (ids.every(id => id === fileId)) return true;
    const stated = await this.statedIds();
    return ids.every(id => stated.idFor(fileId, statedOf(fileId, id)) === id);
  }

  protected override *knownRecords(): Generator<readonly [string, KnownIds], void, void> {
    for (const [key, record] of this.known)
      if (record.ids.some(id => id !== record.id) && this.isThere(record)) yield [key, record];
  }

  protected override isUnchanged(key: string, { source: { size }, modified }: WalkedFile): boolean {
    return this.isRead(key, { size, modified }) && !this.known.get(key)!.skipped;
  }

  private isRead(key: string, now: Pick<FileState, 'size' | 'modified'>): boolean {
    const read = this.known.get(key)?.read;
    const isSame = read?.size === now.size && read.modified === now.modified;
    return isSame && read.by.split(REPEATED)[0] === this.by;
  }

  /** A file that is gone holds nothing. */
  protected override isFile(id: string, fileId: string): boolean {
    if (!super.isFile(id, fileId)) return false;
    const owner = this.owners.get(id)!;
    const before = this.known.get(owner);
    return this.walked.has(owner) || before === undefined || this.isThere(before);
  }

  protected override idOf(key: string): string | undefined {
    return this.known.get(key)?.id;
  }

  change(documents: readonly Document[]): FileChange {
    const ids = Map.groupBy(
      documents.map(({ id }) => id).filter(id => this.fileOf.has(id)),
      id => this.fileOf.get(id)!,
    );
    const lines: SourceLine[] = [];
    for (const [open, stored] of ids) {
      open.waiting -= stored.length;
      for (const id of stored) this.fileOf.delete(id);
      const { key, root, below: path, id } = open;
      if (open.record && open.waiting === 0) {
        lines.push(open.record);
        this.open.delete(key);
      } else lines.push({ root, path, id, ids: stored, more: true });
    }
    return { roots: this.roots.added, lines };
  }

  /** Known files that this ingest did not meet. */
  unseen(): SourceRecord[] {
    return [...this.known].filter(([key]) => !this.seen.has(key)).map(([, record]) => record);
  }

  /** The real path of a root, if the ingest read anything of it. */
  folderOf(name: string): string | undefined {
    return this.roots.folderNamed(name);
  }

  /** Ids that vanished files held, and that files held before they changed, and no file holds. */
  vanishedIds(gone: readonly SourceRecord[]): string[] {
    const vanished = new Set(gone.map(({ root, path }) => fileKey(root, path)));
    const held = new Set<string>();
    for (const [key, { ids }] of [...this.known, ...this.records])
      if (!vanished.has(key) && (this.records.get(key)?.ids ?? ids) === ids)
        for (const id of ids) held.add(id);
    const left = [...this.records.values()].flatMap(record => record.left ?? []);
    const ids = new Set([
      ...gone.flatMap(record => [...record.ids, ...(record.left ?? [])]),
      ...left,
    ]);
    return [...ids].filter(id => !held.has(id));
  }

  /** Returns those of these ids whose documents have the other form of their id now. */
  movedIds(ids: readonly string[]): ReadonlySet<string> {
    const moved = new Set<string>();
    for (const { id: fileId, ids: held, left = [] } of this.records.values()) {
      if (left.length === 0) continue;
      const now = new Set(held);
      for (const id of left) if (hasMoved(fileId, id, now)) moved.add(id);
    }
    return new Set(ids.filter(id => moved.has(id)));
  }

  /** Documents that took the ids of documents of other files. */
  get replaced(): readonly Replaced[] {
    return this.taken.filter(({ id, before }) => {
      const now = this.records.get(fileKey(before.root, before.path));
      return !(now && hasMoved(now.id, id, new Set(now.ids)));
    });
  }

  /** One record a file: those of this ingest, and those of others as the store knows them now. */
  finalChange({ records }: KnownFiles, removed: readonly SourceRecord[]): FilesChange {
    const all = new Map([...records, ...this.records]);
    for (const { root, path } of removed) all.delete(fileKey(root, path));
    const lines = [...all].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return { roots: this.roots.added, lines: lines.map(([, record]) => record) };
  }

  private unchanged(file: PlannedFile, record: SourceRecord): PlannedFile {
    this.records.set(file.key, record);
    return { ...file, unchanged: record.ids };
  }

  private recordOf(
    { key, root, below, id, state, ids, words, notes }: OpenFile,
    skipped: readonly SkippedEvent[],
  ): SourceRecord {
    const before = this.known.get(key);
    const now = new Set(ids);
    const earlier = [...(before?.ids ?? []), ...(before?.left ?? [])].filter(
      held => !now.has(held),
    );
    const places = skipped.map(({ line, reason }): SkippedPlace => defined({ line, reason }));
    // Documents of a file that cannot be read as before are not known to have left it.
    const isLeft = (held: string): boolean => places.length === 0 || hasMoved(id, held, now);
    const stays = earlier.filter(held => !isLeft(held));
    const left = earlier.filter(isLeft);
    return defined({
      root,
      path: below,
      id,
      ids: [...ids, ...stays],
      left: left.length > 0 ? left : undefined,
      read: state,
      skipped: places.length > 0 ? places : undefined,
      words,
      notes: notes.size > 0 ? [...notes] : undefined,
    });
  }
}
