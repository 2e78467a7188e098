/** Creates an empty store, or rejects the folder. */
import { dirname } from 'node:path';
import { PortError } from '../../core/errors.ts';
import { errno } from '../../platform/errno.ts';
import { commitManifest, isStoreFile } from './commit.ts';
import type { Disk } from './disk.ts';
import { readManifest } from './generation.ts';
import { emptyManifest, MANIFEST_FILE, type Manifest } from './manifest.ts';
import { damaged, readFailure, writeFailure } from './store-errors.ts';
import { LOCK_DRAFT_PATTERN, LOCK_PATTERN, underLock } from './write-lock.ts';

/**
 * Creates a store in a folder without `store.json`. A store writes that file before any other, so
 * files of documents without it mean that it was lost: an error, never an empty store. Any other
 * file means that the folder is not for a store; it stays unchanged.
 */
export async function createStore(
  disk: Disk,
  folder: string,
  chunker: string,
  options: { readonly create?: boolean; readonly waitMs?: number },
): Promise<Manifest> {
  const names = await namesIn(disk, folder);
  // Another process may have created the store since the caller looked; then the listed files
  // belong to it.
  const already = await readManifest(disk, folder);
  if (already) return already;
  checkFolder(folder, names, options.create === true);
  try {
    await makeDurable(disk, folder);
    return await underLock(
      disk,
      folder,
      options.waitMs === undefined ? {} : { waitMs: options.waitMs },
      async lock => {
        const made = await readManifest(disk, folder);
        if (made) return made;
        const manifest = emptyManifest(chunker);
        await commitManifest(disk, folder, { next: manifest }, () => lock.check());
        return manifest;
      },
    );
  } catch (error) {
    throw writeFailure(folder, error);
  }
}

/** Creates the folder, with its name on the disk before anything in it is acknowledged. */
async function makeDurable(disk: Disk, folder: string): Promise<void> {
  const first = await disk.makeFolder(folder);
  if (first === undefined) return;
  for (let made = folder; ; made = dirname(made)) {
    await disk.syncFolder(dirname(made));
    if (made === first) return;
  }
}

function checkFolder(folder: string, names: readonly string[] | undefined, create: boolean): void {
  if (names?.some(isStoreFile))
    throw damaged(
      `${folder}/${MANIFEST_FILE}`,
      'the file is missing, but other files of a store exist',
    );
  const foreign =
    names?.filter(
      name =>
        !LOCK_PATTERN.test(name) &&
        !LOCK_DRAFT_PATTERN.test(name) &&
        name !== `${MANIFEST_FILE}.tmp`,
    ) ?? [];
  if (foreign.length > 0)
    throw new PortError('store', 'not-a-store', `"${folder}" is not a store`, {
      expected: `a folder with ${MANIFEST_FILE}${create ? ', or an empty one' : ''}`,
      received: `a folder with "${foreign[0]}"`,
      hint: create
        ? 'Nothing was changed. Give the store a folder of its own.'
        : 'Give a folder that openStore() created.',
      remedy: create ? undefined : { id: 'give-store' },
    });
  if (!create)
    throw new PortError('store', 'no-store', `No store in "${folder}"`, {
      hint: 'Create one: openStore(path) without create: false.',
      remedy: { id: 'create-store' },
    });
}

async function namesIn(disk: Disk, folder: string): Promise<string[] | undefined> {
  try {
    return await disk.list(folder);
  } catch (error) {
    if (errno(error) === 'ENOENT') return undefined;
    if (errno(error) === 'ENOTDIR')
      throw new PortError(
        'store',
        'not-a-store',
        `"${folder}" is a file, not the folder of a store`,
        { cause: error },
      );
    throw readFailure(folder, error);
  }
}
