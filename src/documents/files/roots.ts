/**
 * Names the folders that documents are read from, so that ids are unique over all of them and the
 * same at every reading.
 */

import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, relative, sep } from 'node:path';
import { defined } from '../../core/defined.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { RootRecord } from '../../stores/disk/manifest.ts';

/** A root, and a path below it with `/`; empty for the root itself. */
export interface Place {
  readonly root: RootRecord;
  readonly below: string;
}

/**
 * The roots of a store or of one reading. A folder inside a root belongs to it; the deepest root
 * holds a file. The first root is bare if it is read alone: ids are paths below it. Ids of all
 * others begin with the name of the root.
 */
export class Roots {
  /** Roots that this reading added, or met under another name. */
  readonly added: RootRecord[] = [];
  private readonly known: RootRecord[];
  /** The real path of the store's folder. */
  private readonly from: string | undefined;
  private readonly byFolder = new Map<string, Place | undefined>();
  private readonly folders = new Map<string, string>();

  constructor(known: readonly RootRecord[] = [], from?: string) {
    this.known = [...known];
    this.from = from;
  }

  /** Number of roots. */
  get size(): number {
    return this.known.length;
  }

  /**
   * Adds the folders of paths, and those that hold files of paths, where no root holds them.
   * `before` returns the root that a new folder is under another name, which it then stays.
   */
  async add(
    paths: readonly string[],
    before: (folder: string) => Promise<RootRecord | undefined> = async () => undefined,
  ): Promise<void> {
    const folders = new Set<string>();
    for (const path of paths) folders.add(await folderOf(path));
    const fresh: string[] = [];
    // A folder comes before those inside it.
    for (const folder of [...folders].sort((a, b) => a.length - b.length))
      if (!this.place(folder) && !fresh.some(outer => isInside(folder, outer))) fresh.push(folder);
    const bare = this.known.length === 0 && fresh.length === 1;
    for (const folder of [...folders].filter(path => fresh.includes(path))) {
      const moved = await before(folder);
      const root = moved ? this.rootAs(moved, folder) : this.rootOf(folder, bare);
      const at = this.known.findIndex(({ name }) => name === root.name);
      this.known.splice(at < 0 ? this.known.length : at, 1, root);
      this.added.push(root);
    }
    this.byFolder.clear();
  }

  /** The place of the folder with this real path; undefined if no root holds it. */
  place(folder: string): Place | undefined {
    if (this.byFolder.has(folder)) return this.byFolder.get(folder);
    const root = this.rootAt(folder);
    const above = dirname(folder);
    const outer = root || above === folder ? undefined : this.place(above);
    if (root) this.folders.set(root.name, folder);
    const name = basename(folder).toWellFormed();
    const place = root
      ? { root, below: '' }
      : outer && { root: outer.root, below: outer.below === '' ? name : `${outer.below}/${name}` };
    this.byFolder.set(folder, place);
    return place;
  }

  /** The real path of a root that `place` met. */
  folderNamed(name: string): string | undefined {
    return this.folders.get(name);
  }

  private rootAt(folder: string): RootRecord | undefined {
    const digest = sha256(folder);
    const at = this.atOf(folder);
    return (
      this.known.find(root => root.sha256 === digest) ??
      (at === undefined ? undefined : this.known.find(root => root.at === at))
    );
  }

  private rootOf(folder: string, bare: boolean): RootRecord {
    const plain = basename(folder).toWellFormed() || 'root';
    const taken = new Set(this.known.map(({ name }) => name));
    let name = plain;
    for (let number = 2; taken.has(name); number++) name = `${plain}-${number}`;
    return this.rootAs({ name, sha256: '', bare: bare || undefined }, folder);
  }

  private rootAs({ name, bare }: RootRecord, folder: string): RootRecord {
    const at = this.atOf(folder);
    return defined<RootRecord>({ name, bare: bare || undefined, at, sha256: sha256(folder) });
  }

  private atOf(folder: string): string | undefined {
    if (this.from === undefined) return undefined;
    const path = relative(this.from, folder);
    return isAbsolute(path) ? undefined : path.split(sep).join('/');
  }
}

/** The real path of a folder, or of the folder that holds a file. */
export async function folderOf(path: string): Promise<string> {
  return (await stat(path)).isDirectory() ? realpath(path) : realpath(dirname(path));
}

export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** The ids that a file may take, in order: the first that no other file has is taken. */
export function* idsOf({ name, bare }: RootRecord, below: string): Generator<string, never, void> {
  if (bare) yield below;
  yield `${name}/${below}`;
  for (let number = 2; ; number++) yield `${name}-${number}/${below}`;
}
