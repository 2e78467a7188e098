/** Compares the files of an ingest with those that the store was made of, and records them. */
import { createHash } from 'node:crypto';
import type { Document } from '../../corpus/document.ts';
import { FilePlan, type PlannedFile } from '../formats/file-plan.ts';
import type { Roots } from '../formats/roots.ts';
import type { SkippedEvent } from '../formats/skipped-event.ts';
import type { Source } from '../formats/source.ts';
import type { WalkedFile, WalkedSkip } from '../formats/walk.ts';
import { thisPackage } from '../package-root.ts';
import {
  type FileChange,
  type FileState,
  type FilesChange,
  fileKey,
  type KnownFiles,
  type SkippedPlace,
  type SourceLine,
  type SourceRecord,
} from '../storage/source-files.ts';

/** Raised with every change of what the readers make of a file: all files are then read again. */
const READERS = 2;
/** Time in which a file may change again without another time of change, in milliseconds. */
const YOUNG_MS = 2000;

/** A document that took the id of one that another file holds. */
export interface Replaced {
  readonly id: string;
  /** The file that held it. */
  readonly before: SourceRecord;
  /** The file that holds it now. */
  readonly path: string;
}

interface OpenFile extends Pick<PlannedFile, 'key' | 'root' | 'below'> {
  /** Id of the document that the whole file makes. The source itself would keep the bytes. */
  readonly id: string;
  readonly state: FileState;
  readonly ids: string[];
  /** Documents that are not stored yet. */
  waiting: number;
  record?: SourceRecord;
}

export class RecordedFiles extends FilePlan {
  readonly replaced: Replaced[] = [];
  private readonly known: ReadonlyMap<string, SourceRecord>;
  private readonly by: string;
  /** Records of this ingest, by key. */
  private readonly records = new Map<string, SourceRecord>();
  private readonly open = new Map<string, OpenFile>();
  private readonly fileOf = new Map<string, OpenFile>();

  constructor(roots: Roots, known: KnownFiles, format: string | undefined) {
    super(roots);
    this.known = known.records;
    this.by = [thisPackage().version, READERS, format].filter(part => part !== undefined).join(' ');
    for (const [key, { id, ids }] of known.records)
      for (const one of new Set([id, ...ids])) if (!this.owners.has(one)) this.owners.set(one, key);
  }

  get knowsFiles(): boolean {
    return this.known.size > 0;
  }

  override async file(walked: WalkedFile): Promise<PlannedFile | undefined> {
    const file = await super.file(walked);
    if (!file) return undefined;
    const before = this.known.get(file.key);
    const { size } = walked.source;
    const mayBeSame = before?.read?.by === this.by && before.read.size === size && !before.skipped;
    if (mayBeSame && before.read.modified === walked.modified) return this.unchanged(file, before);
    const state: FileState = {
      size,
      modified: Date.now() - walked.modified > YOUNG_MS ? walked.modified : 0,
      sha256: await digestOf(walked.source),
      by: this.by,
    };
    if (mayBeSame && before.read.sha256 === state.sha256)
      return this.unchanged(file, { ...before, read: state });
    const { key, root, below, source } = file;
    this.open.set(key, { key, root, below, id: source.id, state, ids: [], waiting: 0 });
    return file;
  }

  override passed({ folder, below, skipped }: WalkedSkip): void {
    if (below === '') return;
    const { root, below: path } = this.placeOf(folder, below);
    const key = fileKey(root.name, path);
    if (this.seen.has(key)) return;
    this.seen.add(key);
    const { ids = [], left } = this.known.get(key) ?? {};
    this.records.set(key, {
      ...{ root: root.name, path, id: path, ids },
      ...(left ? { left } : {}),
      skipped: [{ reason: skipped }],
    });
  }

  override found(file: PlannedFile, document: Document): void {
    const open = this.open.get(file.key)!;
    const owner = this.owners.get(document.id);
    const before = owner === undefined ? undefined : this.known.get(owner);
    if (owner !== file.key && before?.ids.includes(document.id))
      this.replaced.push({ id: document.id, before, path: file.source.path });
    open.ids.push(document.id);
    open.waiting++;
    this.fileOf.set(document.id, open);
  }

  override done(file: PlannedFile, skipped: readonly SkippedEvent[]): void {
    const open = this.open.get(file.key)!;
    open.record = this.recordOf(open, skipped);
    this.records.set(file.key, open.record);
    if (open.ids.length === 0) this.open.delete(file.key);
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
    for (const [open, own] of ids) {
      open.waiting -= own.length;
      for (const id of own) this.fileOf.delete(id);
      const { key, root, below: path, id } = open;
      if (open.record && open.waiting === 0) {
        lines.push(open.record);
        this.open.delete(key);
      } else lines.push({ root, path, id, ids: own, more: true });
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
    { key, root, below, id, state, ids }: OpenFile,
    skipped: readonly SkippedEvent[],
  ): SourceRecord {
    const before = this.known.get(key);
    const earlier = [...(before?.ids ?? []), ...(before?.left ?? [])].filter(
      one => !ids.includes(one),
    );
    const places = skipped.map(
      ({ line, reason }): SkippedPlace => ({
        ...(line === undefined ? {} : { line }),
        reason,
      }),
    );
    // Documents of a file that cannot be read as before are not known to have left it.
    const stays = places.length > 0 ? earlier : [];
    const left = places.length > 0 ? [] : earlier;
    return {
      ...{ root, path: below, id, ids: [...ids, ...stays] },
      ...(left.length > 0 ? { left } : {}),
      read: state,
      ...(places.length > 0 ? { skipped: places } : {}),
    };
  }
}

async function digestOf(source: Source): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const piece of source.stream()) hash.update(piece);
  } catch {
    // Reading the file says what is wrong with it.
    return '';
  }
  return hash.digest('hex');
}
