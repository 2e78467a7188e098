/** Reads a file as bytes and replaces one atomically. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { PortError } from '../core/errors.ts';
import { fileError } from './file-error.ts';

/** Returns once content and name are on the disk. `mode` is of the new file. Throws `PortError`. */
export function replaceFile(path: string, content: Uint8Array | string, mode = 0o666): void {
  const draft = `${path}.part`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    // A link in the place of the draft would lead the writing elsewhere.
    rmSync(draft, { force: true });
    const file = openSync(draft, 'wx', mode);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
    // Windows cannot open a folder; there a rename is written through.
    if (process.platform === 'win32') return;
    const folder = openSync(dirname(path), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const full = code === 'ENOSPC' || code === 'EDQUOT';
    throw new PortError(
      'store',
      full ? 'store-full' : 'store-not-writable',
      `Cannot write ${JSON.stringify(path)}: ${message}`,
      {
        cause: error,
      },
    );
  }
}

/** The bytes of a file that the caller named. Throws `InputError`. */
export function readBytes(path: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    throw fileError(path, error);
  }
}
