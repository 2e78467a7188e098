/** Decides for each file of a reading which id it has, and if it must be read at all. */
import { join, sep } from 'node:path';
import type { Document } from '../../corpus/document.ts';
import type { RootRecord } from '../storage/manifest.ts';
import { fileKey } from '../storage/source-files.ts';
import { isPage, type Repeated, type RepeatedBlocks } from './repeated-blocks.ts';
import { idsOf, type Place, Roots } from './roots.ts';
import type { SkippedEvent } from './skipped-event.ts';
import type { Source } from './source.ts';
import type { WalkedFile, WalkedSkip } from './walk.ts';

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

/** Names the files of one reading. */
export class FilePlan {
  protected readonly roots: Roots;
  /** The key of the file that has an id. */
  protected readonly owners: Map<string, string> = new Map();
  protected readonly seen: Set<string> = new Set();
  /** Repeated blocks that were left out, and the pages that had them. */
  readonly leftOut: { blocks: number; pages: number } = { blocks: 0, pages: 0 };
  private pages: RepeatedBlocks | undefined;

  constructor(roots: Roots = new Roots()) {
    this.roots = roots;
  }

  /** Called once, before any file; `pages` finds repeated blocks unless a format is named. */
  async begin(paths: readonly string[], pages?: RepeatedBlocks): Promise<void> {
    this.pages = pages;
    await this.roots.add(paths, folder => this.before(folder));
  }

  /** Returns the root that a new folder is, under another name; undefined for any other folder. */
  protected async before(_folder: string): Promise<RootRecord | undefined> {
    return undefined;
  }

  /** Returns undefined for a file that this reading has met before, by another path. */
  async file(walked: WalkedFile): Promise<PlannedFile | undefined> {
    const file = this.placed(walked);
    return file && { ...file, repeated: await this.repeatedOf(walked) };
  }

  /** Returns the blocks that a file of a folder repeats; undefined if it is no page of one. */
  protected async repeatedOf({ source, named }: WalkedFile): Promise<Repeated | undefined> {
    return named || !isPage(source.path) ? undefined : this.pages?.beside(source.path);
  }

  /** Returns a file with its id; undefined for one that this reading has met before. */
  protected placed({ source, folder, below }: WalkedFile): PlannedFile | undefined {
    const { root, below: path } = this.placeOf(folder, below);
    const key = fileKey(root.name, path);
    if (this.seen.has(key)) return undefined;
    this.seen.add(key);
    let id = this.idOf(key);
    if (id === undefined)
      for (id of idsOf(root, path)) if ((this.owners.get(id) ?? key) === key) break;
    this.owners.set(id!, key);
    return { key, root: root.name, below: path, source: { ...source, id: id! } };
  }

  /**
   * Returns a document that states its id with one that no file of another folder has: its own, or
   * one that begins with the name of its folder. Two of one folder keep theirs.
   */
  named(file: PlannedFile, document: Document): Document {
    if (this.roots.size < 2) return document;
    const { id } = document;
    const root = { name: file.root, sha256: '', bare: true } as const;
    for (const own of idsOf(root, id)) {
      if (this.isTaken(own, file)) continue;
      if (!this.owners.has(own)) this.owners.set(own, file.key);
      return own === id ? document : { ...document, id: own };
    }
    return document;
  }

  /** Tells if a file of another folder has an id. */
  protected isTaken(id: string, { root }: PlannedFile): boolean {
    const owner = this.owners.get(id);
    return owner !== undefined && !owner.startsWith(fileKey(root, ''));
  }

  /** Called with a file or folder of the walk that is not read. */
  passed(_walked: WalkedSkip): void {}

  /** Called with each document of a file. */
  found(_file: PlannedFile, _document: Document): void {}

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
