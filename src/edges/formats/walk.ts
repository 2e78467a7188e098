/** The files of paths: a file itself, or all files below a folder, sorted. */
import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { InputError } from '../../errors.ts';
import { MANIFEST_FILE, STORE_FORMAT } from '../storage/manifest.ts';
import { fileError, fileSource, type Source } from './source.ts';

export type Walked =
  | { readonly source: Source; readonly named: boolean }
  | { readonly path: string; readonly skipped: string };

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
 * passed over.
 */
export async function* walk(path: string): AsyncGenerator<Walked, void, void> {
  const found = await reading(path, () => stat(path));
  if (found.isDirectory()) yield* walkFolder(path, '', await reading(path, () => realpath(path)));
  else yield { source: fileSource(path, basename(path), found.size), named: true };
}

async function* walkFolder(
  folder: string,
  below: string,
  root: string,
): AsyncGenerator<Walked, void, void> {
  let entries: Awaited<ReturnType<typeof entriesOf>>;
  try {
    entries = await entriesOf(folder);
  } catch (error) {
    // Only the folder that the caller named must be readable.
    if (below === '' || !InputError.is(error)) throw error;
    yield { path: folder, skipped: 'no permission to read this folder' };
    return;
  }
  if (entries.some(({ name }) => name === MANIFEST_FILE) && (await isStore(folder))) {
    yield { path: folder, skipped: 'a store of multihop: its files are no documents' };
    return;
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    const id = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isSymbolicLink()) yield { path, skipped: 'a symbolic link' };
    else if (entry.name.includes('\ufffd')) yield { path, skipped: 'its name is not valid UTF-8' };
    else if (!entry.isDirectory() && !entry.isFile())
      yield { path, skipped: 'neither a file nor a folder' };
    else if (!inside(root, await reading(path, () => realpath(path))))
      yield { path, skipped: 'outside the folder that is read' };
    else if (entry.isDirectory()) yield* walkFolder(path, id, root);
    else
      yield {
        source: fileSource(path, id.toWellFormed(), (await reading(path, () => lstat(path))).size),
        named: false,
      };
  }
}

function entriesOf(folder: string): Promise<Dirent[]> {
  return reading(folder, () => readdir(folder, { withFileTypes: true }));
}

/** A file of that name may be anybody's: only the format that it names makes the folder a store. */
async function isStore(folder: string): Promise<boolean> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, MANIFEST_FILE), 'utf8'));
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

function inside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

async function reading<T>(path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw fileError(path, error);
  }
}
