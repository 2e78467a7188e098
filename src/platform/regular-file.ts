/** Opens files to read, of which the size and the kind are known before memory is allocated. */
import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { totalmem } from 'node:os';

/** Without it, opening a FIFO waits for a writer. Windows has neither. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Flags that replace the content of a file and follow no link in its place; Windows has none. */
export const REPLACE_UNLINKED: number =
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);

/** Opens a regular file. Throws an error with a code for anything else. */
export async function openRegular(path: string): Promise<{ file: FileHandle; size: number }> {
  const file = await open(path, FLAGS);
  try {
    return { file, size: sizeOf(path, await file.stat()) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** As `openRegular`, synchronously. */
export function openRegularNow(path: string): { file: number; size: number } {
  const file = openSync(path, FLAGS);
  try {
    return { file, size: sizeOf(path, fstatSync(file)) };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/**
 * Returns how many bytes to read of a file that should have `expected` bytes: one more if it has
 * more, so that its length tells.
 */
export function bytesToRead(path: string, size: number, expected: number = size): number {
  const bytes = Math.min(size, expected + 1);
  if (bytes > totalmem())
    throw failure('ENOMEM', `"${path}" has ${size} bytes, more than this machine has memory`);
  return bytes;
}

function sizeOf(path: string, stats: Stats): number {
  if (stats.isDirectory()) throw failure('EISDIR', `"${path}" is a folder, not a file`);
  if (!stats.isFile()) throw failure('EINVAL', `"${path}" is a device or a pipe, not a file`);
  return stats.size;
}

const failure = (code: string, message: string): Error =>
  Object.assign(new Error(`${code}: ${message}`), { code, syscall: 'open' });
