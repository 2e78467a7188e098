/**
 * Commits changes of a store: writes new files durably, renames the new `store.json` over the old
 * one, then removes old files.
 */
import { join } from 'node:path';
import { pausesFor } from '../../platform/clock.ts';
import { checksums } from './checksums.ts';
import type { Disk } from './disk.ts';
import { MANIFEST_FILE, type Manifest, type StoredFile } from './manifest.ts';
import { printManifest } from './manifest-file.ts';

const TEMPORARY = '.tmp';
const OWN_FILES = /^(?:documents|index|derived|sources)-[\w.-]+\.(?:jsonl|bin)$/;
const GENERATION = /-(\d{8,})-[0-9a-f]{16}\.(?:jsonl|bin)$/;
/** Age from which a file that no committed manifest named is removed, in milliseconds. */
const ORPHAN_MS = 24 * 3600 * 1000;

/**
 * Writes an immutable file whose name holds its generation and the beginning of its SHA-256.
 * Returns once its content is on the disk.
 */
export async function writeImmutable(
  disk: Disk,
  folder: string,
  name: { readonly kind: string; readonly generation: number; readonly extension: string },
  pieces: readonly Uint8Array[],
): Promise<StoredFile> {
  const sums = await checksums(pieces, pausesFor());
  const file = `${name.kind}-${String(name.generation).padStart(8, '0')}-${sums.sha256.slice(0, 16)}.${name.extension}`;
  await writeAtomically(disk, join(folder, file), pieces);
  return { file, bytes: pieces.reduce((sum, piece) => sum + piece.length, 0), ...sums };
}

/**
 * Returns a generation above that of the manifest and of every file: an older `store.json` that was
 * put back must not lead to a number that was used.
 */
export async function nextGeneration(
  disk: Disk,
  folder: string,
  manifest: Manifest,
): Promise<number> {
  const used = (await disk.list(folder)).map(name =>
    OWN_FILES.test(name) ? Number(GENERATION.exec(name)?.[1] ?? 0) : 0,
  );
  return Math.max(manifest.generation, ...used) + 1;
}

/**
 * Makes the names of new files durable, then the manifest, then removes files that `before`
 * names and it does not. Returns once the manifest is on the disk. `check` throws if the lock is
 * lost.
 */
export async function commitManifest(
  disk: Disk,
  folder: string,
  { before, next }: { readonly before?: Manifest; readonly next: Manifest },
  check: () => Promise<void>,
): Promise<void> {
  await disk.syncFolder(folder);
  await check();
  const bytes = Buffer.from(printManifest(next));
  await writeAtomically(disk, join(folder, MANIFEST_FILE), [bytes], check);
  await disk.syncFolder(folder);
  // The write is durable now: the next write removes files that cannot be removed here.
  await removeOrphans(disk, folder, next, before).catch(() => {});
}

/**
 * Returns files of a store that its manifest does not name: left by a killed writer, or by older
 * generations.
 */
export async function orphans(disk: Disk, folder: string, manifest: Manifest): Promise<string[]> {
  const kept = namedBy(manifest);
  const isStoreFile = (name: string): boolean =>
    OWN_FILES.test(name) || name === MANIFEST_FILE + TEMPORARY || isTemporary(name);
  return (await disk.list(folder)).filter(name => isStoreFile(name) && !kept.has(name));
}

function namedBy(manifest: Manifest): Set<string> {
  const files: StoredFile[] = [
    ...manifest.segments,
    ...manifest.segments.flatMap(({ indexes = [] }) => indexes),
    ...(manifest.derived ?? []),
    ...(manifest.sources ?? []),
  ];
  return new Set(files.map(({ file }) => file));
}

/**
 * Removes orphans that the manifest before named, drafts, and others that are older than a day:
 * younger ones may belong to a newer `store.json` that an older one replaced. Requires the lock.
 */
export async function removeOrphans(
  disk: Disk,
  folder: string,
  manifest: Manifest,
  before: Manifest = manifest,
): Promise<void> {
  const replaced = namedBy(before);
  const isDraft = (name: string): boolean => name.endsWith(TEMPORARY);
  for (const name of await orphans(disk, folder, manifest))
    if (replaced.has(name) || isDraft(name) || (await isOld(disk, folder, name)))
      await disk.remove(join(folder, name));
}

/** Removes all orphans, and returns their names. Requires the lock. */
export async function purgeOrphans(
  disk: Disk,
  folder: string,
  manifest: Manifest,
): Promise<string[]> {
  const names = await orphans(disk, folder, manifest);
  for (const name of names) await disk.remove(join(folder, name));
  return names;
}

/** Ages are those of the disk's own clock: the manifest has just been written. */
async function isOld(disk: Disk, folder: string, name: string): Promise<boolean> {
  if (!disk.modified) return true;
  const written = await disk.modified(join(folder, name));
  return (await disk.modified(join(folder, MANIFEST_FILE))) - written > ORPHAN_MS;
}

const isTemporary = (name: string): boolean =>
  name.endsWith(TEMPORARY) && OWN_FILES.test(name.slice(0, -TEMPORARY.length));

/** Returns true for names of files that only a store writes. */
export function isStoreFile(name: string): boolean {
  return OWN_FILES.test(name);
}

/**
 * Writes a file under a temporary name and renames it. Requires the lock, so that an existing
 * temporary file can only be left from a killed writer.
 */
async function writeAtomically(
  disk: Disk,
  path: string,
  pieces: readonly Uint8Array[],
  check: () => Promise<void> = async () => {},
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
  await check();
  await disk.rename(draft, path);
}
