/**
 * The one way in which a store changes: new files, made durable, then `store.json` renamed over the
 * old one, then the old files removed.
 */
import { join } from 'node:path';
import { sha256 } from '../sha256.ts';
import type { Disk } from './disk.ts';
import { MANIFEST_FILE, type Manifest, printManifest, type StoredFile } from './manifest.ts';

const TEMPORARY = '.tmp';
const OWN_FILES = /^(?:documents|index|derived)-[\w.-]+\.(?:jsonl|bin)$/;

/**
 * Writes an immutable file under a name that tells generation and content. Returns once its content
 * is on the disk.
 */
export async function writeImmutable(
  disk: Disk,
  folder: string,
  name: { readonly kind: string; readonly generation: number; readonly extension: string },
  pieces: readonly Uint8Array[],
): Promise<StoredFile> {
  const digest = sha256(...pieces);
  const file = `${name.kind}-${String(name.generation).padStart(8, '0')}-${digest.slice(0, 16)}.${name.extension}`;
  await writeAtomically(disk, join(folder, file), pieces);
  return { file, bytes: pieces.reduce((sum, piece) => sum + piece.length, 0), sha256: digest };
}

/**
 * Makes the new files' names durable, then the manifest, then forgets what it no longer names.
 * Returns once the manifest is on the disk.
 */
export async function commitManifest(
  disk: Disk,
  folder: string,
  manifest: Manifest,
): Promise<void> {
  await disk.syncFolder(folder);
  await writeAtomically(disk, join(folder, MANIFEST_FILE), [Buffer.from(printManifest(manifest))]);
  await disk.syncFolder(folder);
  // From here on the write has happened: what cannot be removed now is removed by the next one.
  await removeOrphans(disk, folder, manifest).catch(() => {});
}

/**
 * Files of a store that its manifest does not name: left by a writer that was killed, or by older
 * generations.
 */
export async function orphans(disk: Disk, folder: string, manifest: Manifest): Promise<string[]> {
  const named = new Set<string>(
    [
      ...manifest.segments,
      ...manifest.segments.flatMap(({ indexes = [] }) => indexes),
      ...(manifest.derived ?? []),
    ].map(({ file }) => file),
  );
  const own = (name: string): boolean =>
    OWN_FILES.test(name) || name === MANIFEST_FILE + TEMPORARY || isTemporary(name);
  return (await disk.list(folder)).filter(name => own(name) && !named.has(name));
}

/** Only under the lock. */
export async function removeOrphans(disk: Disk, folder: string, manifest: Manifest): Promise<void> {
  for (const name of await orphans(disk, folder, manifest)) await disk.remove(join(folder, name));
}

const isTemporary = (name: string): boolean =>
  name.endsWith(TEMPORARY) && OWN_FILES.test(name.slice(0, -TEMPORARY.length));

/** Whether a name is that of a file that only a store writes. */
export function isStoreFile(name: string): boolean {
  return OWN_FILES.test(name);
}

/** Only under the lock: a temporary file of that name can only be left from a writer that died. */
async function writeAtomically(
  disk: Disk,
  path: string,
  pieces: readonly Uint8Array[],
): Promise<void> {
  const draft = path + TEMPORARY;
  try {
    await disk.write(draft, pieces);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      await disk.remove(draft).catch(() => {});
      throw error;
    }
    await disk.remove(draft);
    await disk.write(draft, pieces);
  }
  await disk.rename(draft, path);
}
