/** Decides for each file of a reading which id it has, and if it must be read at all. */
import { join, sep } from 'node:path';
import type { Document } from '../../core/corpus/document.ts';
import type { RootRecord } from '../../stores/disk/manifest.ts';
import { fileKey } from '../../stores/disk/source-files.ts';
import type { SkippedEvent } from '../format.ts';
import type { KeptWords } from '../kept-words.ts';
import { filesBelow } from './ignore-rules.ts';
import { isPage, type Repeated, type RepeatedBlocks } from './repeated-blocks.ts';
import { idsOf, type Place, Roots } from './roots.ts';
import type { Source } from './source.ts';
import { StatedIds } from './stated-ids.ts';
import {
  type WalkedFile,
  type WalkedIgnored,
  type WalkedSkip,
  type WalkOptions,
  walk,
} from './walk.ts';

/** A file of a reading, under the id of the document that the whole file makes. */
export interface PlannedFile {
  readonly key: string;
  readonly root: string;
  /** Path below the root. */
  readonly below: string;
  readonly source: Source;
  /** The blocks that it repeats with the pages beside it, if it is a page of a folder. */
  readonly repeated?: Repeated | undefined;
  /** The ids of its stored documents, if it need not be read. */
  readonly unchanged?: readonly string[];
}

/** Reads what a plan must know of files before it names their documents. */
export interface IdReader {
  /** Tells if a file holds records, which may state ids. */
  holdsRecords(file: WalkedFile): Promise<boolean>;
  statedIds(file: WalkedFile): AsyncIterable<string>;
}

/** A document of a file, with what its loader says of the file. */
export interface FoundDocument {
  readonly document: Document;
  readonly words?: KeptWords;
  readonly notes?: readonly string[];
}

/** A file that the store was made of: its id, and those of its documents. */
export interface KnownIds {
  readonly id: string;
  readonly ids: readonly string[];
}

/** Names the files of one reading. */
export class FilePlan {
  protected readonly roots: Roots;
  /** The key of the file that has the id of a whole file. */
  protected readonly owners: Map<string, string> = new Map();
  protected readonly seen: Set<string> = new Set();
  /** The keys of all files that are known to be there, read or not. */
  protected readonly walked: Set<string> = new Set();
  /** Repeated blocks that were left out, and the pages that had them. */
  readonly leftOut: { blocks: number; pages: number } = { blocks: 0, pages: 0 };
  /** Files with a note of their loader or less than half of their words, and the latter. */
  readonly noted: { files: number; belowHalf: number } = { files: 0, belowHalf: 0 };
  /** Documents whose id begins with their file, since another document has the id they state. */
  readonly prefixed: { count: number; stated?: string; id?: string } = { count: 0 };
  /** Number of files that their project leaves out. */
  ignored = 0;
  private readonly leftByRules: string[] = [];
  private paths: readonly string[] = [];
  private options: WalkOptions = {};
  private reader: IdReader | undefined;
  private stated: Promise<StatedIds> | undefined;
  private pages: RepeatedBlocks | undefined;

  constructor(roots: Roots = new Roots()) {
    this.roots = roots;
  }

  /**
   * Called once, before any file; `pages` finds repeated blocks unless the caller names a format.
   */
  async begin(
    paths: readonly string[],
    reader: IdReader,
    options: WalkOptions,
    pages?: RepeatedBlocks,
  ): Promise<void> {
    this.paths = paths;
    this.options = options;
    this.reader = reader;
    this.pages = pages;
    await this.roots.add(paths, folder => this.before(folder));
  }

  /** Returns the root that a new folder is, under another name; undefined for any other folder. */
  protected async before(_folder: string): Promise<RootRecord | undefined> {
    return undefined;
  }

  /** Returns undefined for a file that this reading has met before, by another path. */
  async file(walked: WalkedFile): Promise<PlannedFile | undefined> {
    const file = this.met(walked);
    return file && { ...file, repeated: await this.repeatedOf(walked, file) };
  }

  /** Returns the blocks that a file of a folder repeats; undefined if it is no page of a folder. */
  protected async repeatedOf(
    { isRequested, leavesOut }: WalkedFile,
    { source }: Pick<PlannedFile, 'source'>,
  ): Promise<Repeated | undefined> {
    if (isRequested || !isPage(source.path)) return undefined;
    return this.pages?.beside(source, leavesOut);
  }

  /** Returns a file with its id; undefined for one that this reading has met before. */
  protected met(walked: WalkedFile): PlannedFile | undefined {
    const file = this.placed(walked);
    if (this.seen.has(file.key)) return undefined;
    this.seen.add(file.key);
    return file;
  }

  private placed({ source, folder, below }: WalkedFile): PlannedFile {
    const { root, below: path } = this.placeOf(folder, below);
    const key = fileKey(root.name, path);
    let id = this.idOf(key);
    if (id === undefined)
      for (id of idsOf(root, path)) if ((this.owners.get(id) ?? key) === key) break;
    this.owners.set(id!, key);
    this.walked.add(key);
    return { key, root: root.name, below: path, source: { ...source, id: id! } };
  }

  /** Returns a document that states its id with one that no document of another file has. */
  async withStatedId({ source }: PlannedFile, document: Document): Promise<Document> {
    const { id: stated } = document;
    const id = (await this.statedIds()).idFor(source.id, stated);
    if (id === stated) return document;
    if (this.prefixed.count++ === 0) Object.assign(this.prefixed, { stated, id });
    return { ...document, id };
  }

  /** Returns the ids that files state, once they are all known: reads files of records for it. */
  protected statedIds(): Promise<StatedIds> {
    this.stated ??= this.findStated();
    return this.stated;
  }

  private async findStated(): Promise<StatedIds> {
    const stated = new StatedIds((id, fileId) => this.isFile(id, fileId));
    const unread = new Map<string, WalkedFile & { readonly id: string }>();
    const known = new Map(this.knownRecords());
    for (const path of this.paths)
      for await (const walked of walk(path, this.options)) {
        if (!('source' in walked)) continue;
        const { key, source } = this.placed(walked);
        if (known.has(key) && this.isUnchanged(key, walked)) continue;
        known.delete(key);
        if (await this.reader!.holdsRecords(walked)) unread.set(key, { ...walked, id: source.id });
      }
    for (const { id } of [...unread.values(), ...known.values()]) stated.file(id);
    if (unread.size + known.size < 2) return stated;
    for (const { id, ids } of known.values()) for (const each of ids) stated.add(id, each);
    for (const file of unread.values())
      for await (const id of this.reader!.statedIds(file)) stated.add(file.id, id);
    return stated.settle();
  }

  /** Files of records that the store was made of and that are still there, by their keys. */
  protected knownRecords(): Iterable<readonly [string, KnownIds]> {
    return [];
  }

  /** Tells if a file is as it was read, by its size and time. */
  protected isUnchanged(_key: string, _walked: WalkedFile): boolean {
    return false;
  }

  /** Tells if another file than that of `fileId` is the document of an id. */
  protected isFile(id: string, fileId: string): boolean {
    return id !== fileId && this.owners.has(id);
  }

  /** Called with a file or folder that its project leaves out. */
  async leaves({ folder, below, path, ignored }: WalkedIgnored): Promise<void> {
    const place = this.placeOf(folder, below);
    this.leftByRules.push(fileKey(place.root.name, place.below));
    this.ignored += ignored === 'file' ? 1 : await filesBelow(path);
  }

  /** Tells if the project of a file leaves it out. */
  isLeftOut({ root, path }: { readonly root: string; readonly path: string }): boolean {
    const key = fileKey(root, path);
    return this.leftByRules.some(left => key === left || key.startsWith(`${left}/`));
  }

  /** Called with a file or folder of the walk that is not read. */
  passed(_walked: WalkedSkip): void {}

  /** Called with each document of a file. */
  found(_file: PlannedFile, _found: FoundDocument): void {}

  /** Called when a file has been read to its end. */
  done(_file: PlannedFile, _skipped: readonly SkippedEvent[]): void {}

  /** The id under which a file is known. */
  protected idOf(_key: string): string | undefined {
    return undefined;
  }

  protected placeOf(folder: string, below: string): Place {
    const parts = below.split('/');
    const name = parts.pop()!;
    const place = this.roots.place(parts.length > 0 ? join(folder, parts.join(sep)) : folder)!;
    return { ...place, below: place.below === '' ? name : `${place.below}/${name}` };
  }
}
