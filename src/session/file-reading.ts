/** Reads files for one ingest of a store: those that changed since the ingest before. */
import { existsSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Document } from '../core/corpus/document.ts';
import { freeCall } from '../core/trace/call.ts';
import type { FilePlan } from '../documents/files/file-plan.ts';
import { folderOf, isInside, Roots } from '../documents/files/roots.ts';
import type { SkippedEvent } from '../documents/format.ts';
import { readFiles } from '../documents/read-documents.ts';
import { nodeDisk } from '../stores/disk/disk.ts';
import { readManifest } from '../stores/disk/generation.ts';
import {
  type FileChange,
  type KnownFiles,
  readSources,
  type SourceRecord,
} from '../stores/disk/source-files.ts';
import type { Store } from '../stores/disk/store.ts';
import type { IngestedPaths } from './document-store.ts';
import { type PathOf, placesOf } from './file-paths.ts';
import { RecordedFiles } from './recorded-files.ts';

export interface FileReadingOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with each document before it is stored. */
  readonly onDocument?: (from: string, document: Document) => void;
}

/** Documents that an ingest removed, and those of vanished files that it left. */
export interface Vanished {
  readonly removed: number;
  readonly vanished: number;
}

export class FileReading {
  readonly skipped: SkippedEvent[] = [];
  /** Ids that `sync` removed because the project of their files leaves these out. */
  removedByRules: readonly string[] = [];
  /** Number of documents of files that were not read again. */
  unchanged = 0;
  private readonly source: IngestedPaths;
  private readonly options: FileReadingOptions;
  private readonly plan: RecordedFiles;
  private readonly events: ReturnType<typeof readFiles>;
  private readonly placeOf: PathOf;
  private ahead: Document | undefined;
  private ended = false;

  private constructor(
    source: IngestedPaths,
    options: FileReadingOptions,
    plan: RecordedFiles,
    placeOf: PathOf,
  ) {
    this.source = source;
    this.placeOf = placeOf;
    this.options = options;
    this.plan = plan;
    const { paths, format, strict, all } = source;
    this.events = readFiles(paths, { format, strict, all, signal: options.signal }, plan);
  }

  /** Reads what the store knows of files; the folder may have no store yet. */
  static async open(
    folder: string,
    source: IngestedPaths,
    options: FileReadingOptions = {},
  ): Promise<FileReading> {
    const manifest = await readManifest(nodeDisk, folder);
    const known: KnownFiles = manifest
      ? await readSources(nodeDisk, folder, manifest)
      : { roots: [], records: new Map() };
    const real = await realFolder(folder);
    const placeOf = placesOf(known, real);
    const plan = new RecordedFiles(new Roots(known.roots, real), known, {
      format: source.format,
      sync: source.sync === true,
      isThere: record => existsSync(placeOf(record)),
    });
    return new FileReading(source, options, plan, placeOf);
  }

  /** Repeated blocks that were left out of pages, and the number of these pages. */
  get leftOut(): { readonly blocks: number; readonly pages: number } {
    return this.plan.leftOut;
  }

  /** Files with a note of their loader or less than half of their words, and the latter. */
  get noted(): { readonly files: number; readonly belowHalf: number } {
    return this.plan.noted;
  }

  /** Number of files that their project leaves out. */
  get ignored(): number {
    return this.plan.ignored;
  }

  /** Documents whose id begins with their file, and the first of them. */
  get prefixed(): FilePlan['prefixed'] {
    return this.plan.prefixed;
  }

  /** Folders that `sync` met under another name, as their user would write them. */
  get renamed(): { readonly before: string; readonly now: string }[] {
    return this.plan.renamed.map(({ root, folder }) => ({
      before: this.placeOf({ root, path: '' }),
      now: relative('', folder),
    }));
  }

  /** True if the store was fed from files before. */
  get knowsFiles(): boolean {
    return this.plan.knowsFiles;
  }

  /** True after `begin` if a document is to be stored. */
  get hasDocuments(): boolean {
    return this.ahead !== undefined;
  }

  /** Reads up to the first document; returns true if there is one, stored before or not. */
  async begin(): Promise<boolean> {
    this.ahead = await this.next();
    return this.ahead !== undefined || this.unchanged > 0;
  }

  /** Documents that took the ids of documents of other files, which are still there. */
  async replaced(): Promise<
    { readonly id: string; readonly before: string; readonly path: string }[]
  > {
    const there = new Map<string, boolean>();
    const all = this.plan.replaced.map(each => ({ ...each, before: this.placeOf(each.before) }));
    for (const { before } of all)
      if (!there.has(before)) there.set(before, (await lstatOf(before)) !== undefined);
    return all.filter(({ before }) => there.get(before));
  }

  /** All documents of new and changed files. */
  async *documents(): AsyncGenerator<Document, void, void> {
    for (;;) {
      const document = this.ahead ?? (await this.next());
      this.ahead = undefined;
      if (!document) return;
      yield document;
    }
  }

  /** Returns what a write of these documents adds to the records of files. */
  change(documents: readonly Document[]): FileChange {
    return this.plan.change(documents);
  }

  /**
   * Ids that vanished files and changed ones held and no file holds, once all files are read: first
   * those that the ingest removes.
   */
  async vanishedIds(): Promise<{ readonly removed: string[]; readonly vanished: string[] }> {
    return this.divided(this.plan.vanishedIds(await this.vanishedFiles()));
  }

  /** A document of a new id is removed under the old id; with `sync` all that vanished are. */
  private divided(ids: readonly string[]): { removed: string[]; vanished: string[] } {
    if (this.source.sync === true) return { removed: [...ids], vanished: [] };
    const moved = this.plan.movedIds(ids);
    return { removed: [...moved], vanished: ids.filter(id => !moved.has(id)) };
  }

  /** Records all files, once all documents are stored; with `sync` removes what vanished. */
  async finish(store: Store): Promise<Vanished> {
    const call = freeCall(this.options.signal);
    const gone = await this.vanishedFiles();
    const ids = this.plan.vanishedIds(gone);
    const stored = new Set((await store.snapshot()).documents.map(({ id }) => id));
    const { removed, vanished } = this.divided(ids.filter(id => stored.has(id)));
    const sync = this.source.sync === true;
    const left = gone
      .filter(record => this.plan.isLeftOut(record))
      .flatMap(({ ids: held }) => held);
    this.removedByRules = left.filter(id => removed.includes(id));
    if (removed.length > 0) await store.remove(removed, call);
    await store.recordFiles(call, known =>
      this.plan.finalChange(known, sync ? gone : gone.filter(isEmpty)),
    );
    return { removed: removed.length, vanished: vanished.length };
  }

  private async next(): Promise<Document | undefined> {
    while (!this.ended) {
      const step = await this.events.next();
      if (step.done) this.ended = true;
      else if (step.value.type === 'document') {
        this.options.onDocument?.(step.value.from, step.value.document);
        return step.value.document;
      } else if (step.value.type === 'unchanged') this.unchanged += step.value.ids.length;
      else this.skipped.push(step.value);
    }
    return undefined;
  }

  /** Known files below the given paths that are no longer on the disk, or that are left out now. */
  private async vanishedFiles(): Promise<SourceRecord[]> {
    const folders: string[] = [];
    for (const path of this.source.paths)
      if ((await lstatOf(path))?.isFile() !== true) folders.push(await folderOf(path));
    const vanished: SourceRecord[] = [];
    for (const record of this.plan.unseen()) {
      const root = this.plan.folderOf(record.root);
      const path = root === undefined ? undefined : join(root, record.path);
      if (path === undefined || !folders.some(folder => isInside(path, folder))) continue;
      if (this.plan.isLeftOut(record) || !(await lstatOf(path))) vanished.push(record);
    }
    return vanished;
  }
}

/** Tells if no document stays of a file: it was skipped, or its documents were removed. */
const isEmpty = ({ ids, left }: SourceRecord): boolean => ids.length === 0 && !left;

/** Undefined only if there is nothing of this name. */
async function lstatOf(path: string): Promise<{ isFile(): boolean } | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : { isFile: () => false };
  }
}

/** The real path of a folder that may not exist yet. */
async function realFolder(folder: string): Promise<string> {
  const path = resolve(folder);
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(await realFolder(above), path.slice(above.length));
  }
}
