/** Decides for each file of a reading which id it has, and if it must be read at all. */
import { join, sep } from 'node:path';
import type { Document } from '../../corpus/document.ts';
import { fileKey } from '../storage/source-files.ts';
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
  /** The ids of its stored documents, if it need not be read. */
  readonly unchanged?: readonly string[];
}

/** Names the files of one reading. */
export class FilePlan {
  protected readonly roots: Roots;
  /** The key of the file that has an id. */
  protected readonly owners: Map<string, string> = new Map();
  protected readonly seen: Set<string> = new Set();

  constructor(roots: Roots = new Roots()) {
    this.roots = roots;
  }

  /** Called once, before any file. */
  async begin(paths: readonly string[]): Promise<void> {
    await this.roots.add(paths);
  }

  /** Returns undefined for a file that this reading has met before, by another path. */
  async file({ source, folder, below }: WalkedFile): Promise<PlannedFile | undefined> {
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
