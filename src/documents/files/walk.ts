/** The files of paths: a file itself, or all files below a folder, sorted. */
import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { parseJson } from '../../core/text/bounded-json.ts';
import { fileError } from '../../platform/file-error.ts';
import { MANIFEST_FILE, STORE_FORMAT } from '../../stores/disk/manifest.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { isInside } from './roots.ts';
import { fileSource, type Source } from './source.ts';

interface WalkedPlace {
  /** The real path of the folder that is walked, or that holds the named file. */
  readonly folder: string;
  /** Path below it, with `/`. */
  readonly below: string;
}

export interface WalkedFile extends WalkedPlace {
  readonly source: Source;
  /** True for a file that the caller names, false for a file of a folder. */
  readonly isRequested: boolean;
  /** Time of its last change, in milliseconds. */
  readonly modified: number;
  /** Tells by its name if the project leaves out a file beside it. */
  readonly leavesOut?: (name: string) => boolean;
}

export interface WalkedSkip extends WalkedPlace {
  readonly path: string;
  readonly skipped: string;
}

/** A file or folder that its project leaves out. */
export interface WalkedIgnored extends WalkedPlace {
  readonly path: string;
  readonly ignored: 'file' | 'folder';
}

export type Walked = WalkedFile | WalkedSkip | WalkedIgnored;

export interface WalkOptions {
  /** Reads what `.gitignore` and `node_modules` leave out, too. */
  readonly all?: boolean | undefined;
}

/**
 * Looks at every path before anything is read. Throws `InputError` naming the first that is
 * missing, unreadable or no file.
 */
export async function checkPaths(paths: readonly string[]): Promise<void> {
  if (paths.length === 0)
    throw new InputError('no-paths', 'Nothing to read', {
      expected: 'at least one file or folder',
    });
  for (const path of paths) {
    const found = await reading(path, () => stat(path));
    if (!found.isFile() && !found.isDirectory())
      throw new InputError(
        'unreadable-file',
        `${JSON.stringify(path)} is neither a file nor a folder`,
        {
          expected: 'a regular file',
          hint: 'Pipes and devices cannot be read',
        },
      );
  }
}

/**
 * The files of one path. In folders symbolic links and stores are skipped and said, hidden files
 * passed over, and what the project leaves out is said unless `all` reads it.
 */
export async function* walk(
  path: string,
  { all = false }: WalkOptions = {},
): AsyncGenerator<Walked, void, void> {
  const found = await reading(path, () => stat(path));
  if (found.isDirectory()) {
    const root = await reading(path, () => realpath(path));
    yield* walkFolder(path, '', root, all ? undefined : await IgnoreRules.around(root));
  } else {
    const folder = await reading(path, () => realpath(dirname(path)));
    const below = basename(path).toWellFormed();
    const source = fileSource(path, below, found.size);
    yield { source, isRequested: true, modified: found.mtimeMs, folder, below };
  }
}

async function* walkFolder(
  folder: string,
  below: string,
  root: string,
  outer: IgnoreRules | undefined,
): AsyncGenerator<Walked, void, void> {
  // Only the folder that the caller requests must be readable.
  const listed = below === '' ? { value: await entriesOf(folder) } : await met(entriesOf(folder));
  if ('skipped' in listed) {
    yield { path: folder, ...listed, folder: root, below };
    return;
  }
  const entries = listed.value;
  if (entries.some(({ name }) => name === MANIFEST_FILE) && (await isStore(folder))) {
    const skipped = 'a store of multihop: its files are no documents';
    yield { path: folder, skipped, folder: root, below };
    return;
  }
  const names = entries.map(({ name }) => name);
  const rules = await outer?.inFolder(folder, below, names);
  entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const idOf = (name: string): string => (below === '' ? name : `${below}/${name}`);
  const leavesOut = (name: string): boolean => rules?.ignores(idOf(name), false) ?? false;
  for (const entry of entries) {
    // Settings of this command line are no document.
    if (entry.name.startsWith('.') || entry.name === 'multihop.config.json') continue;
    const path = join(folder, entry.name);
    const id = idOf(entry.name);
    const place = { folder: root, below: id.toWellFormed() };
    if (rules?.ignores(id, entry.isDirectory())) {
      yield { path, ignored: entry.isDirectory() ? 'folder' : 'file', ...place };
      continue;
    }
    const skipped = await notRead(entry, path, root);
    if (skipped !== undefined) yield { path, skipped, ...place };
    else if (entry.isDirectory()) yield* walkFolder(path, id, root, rules);
    else {
      const found = await met(reading(path, () => lstat(path)));
      if ('skipped' in found) yield { path, ...found, ...place };
      else if (!found.value.isFile()) yield { path, skipped: CHANGED, ...place };
      else {
        const { size, mtimeMs: modified } = found.value;
        yield {
          source: fileSource(path, place.below, size),
          isRequested: false,
          modified,
          leavesOut,
          ...place,
        };
      }
    }
  }
}

/** Reason of a file that became something else, such as a link, while its folder was read. */
const CHANGED = 'not a file any more';

/** Returns an entry of a folder, or why it is not read: it may be gone since the listing. */
async function met<T>(
  looking: Promise<T>,
): Promise<{ readonly value: T } | { readonly skipped: string }> {
  try {
    return { value: await looking };
  } catch (error) {
    if (!InputError.is(error)) throw error;
    const isGone = error.code === 'missing-file';
    return { skipped: isGone ? 'gone while its folder was read' : 'no permission to read it' };
  }
}

/**
 * Returns the reason for which an entry of a folder is not read; undefined if it is. A file that is
 * no link lies where its folder does, so that folders alone are resolved.
 */
async function notRead(entry: Dirent, path: string, root: string): Promise<string | undefined> {
  if (entry.isSymbolicLink()) return 'a symbolic link';
  if (entry.name.includes('\ufffd')) return 'its name is not valid UTF-8';
  if (entry.isFile()) return undefined;
  if (!entry.isDirectory()) return 'neither a file nor a folder';
  const real = await met(reading(path, () => realpath(path)));
  if ('skipped' in real) return real.skipped;
  return isInside(real.value, root) ? undefined : 'outside the folder that is read';
}

function entriesOf(folder: string): Promise<Dirent[]> {
  return reading(folder, () => readdir(folder, { withFileTypes: true }));
}

/** A file of that name may be anybody's: only the format that it names makes the folder a store. */
async function isStore(folder: string): Promise<boolean> {
  try {
    const value: unknown = parseJson(await readFile(join(folder, MANIFEST_FILE), 'utf8'));
    return (
      typeof value === 'object' &&
      value !== null &&
      'format' in value &&
      value.format === STORE_FORMAT
    );
  } catch {
    return false;
  }
}

async function reading<T>(path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw fileError(path, error);
  }
}
