/** Tells files apart by their content. */
import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { fileSource, type Source } from '../documents/files/source.ts';
import type { FileState } from '../stores/disk/source-files.ts';

/** Tells if a file is there with this content. */
export async function isSameFile(path: string, { size, sha256 }: FileState): Promise<boolean> {
  try {
    const found = await lstat(path);
    if (!found.isFile() || found.size !== size) return false;
    return (await digestOf(fileSource(path, path, size))) === sha256;
  } catch {
    return false;
  }
}

/** Returns the SHA-256 of a file; empty for one that cannot be read. */
export async function digestOf(source: Source): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const piece of source.stream()) hash.update(piece);
  } catch {
    // Reading the file says what is wrong with it.
    return '';
  }
  return hash.digest('hex');
}
