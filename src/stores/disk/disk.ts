/**
 * Defines the file system of a store: a port of few operations, so that tests can crash it between
 * any two of them.
 */
import { closeSync, constants, readSync } from 'node:fs';
import {
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  rename,
  stat,
  unlink,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { errno } from '../../platform/errno.ts';
import { bytesToRead, openRegular, openRegularNow } from '../../platform/regular-file.ts';

/** A file that stays readable when its name is removed. */
export interface OpenFile {
  /** Bytes. */
  readonly size: number;
  /** `into`: where the bytes may be put, until the next read. */
  readNow(at: number, length: number, into?: Uint8Array<ArrayBuffer>): Uint8Array;
}

export interface Disk {
  /**
   * Returns the whole file in a buffer of its own, aligned to 8 bytes; of a file that has more than
   * `expected` bytes one byte more than these.
   */
  read(path: string, expected?: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Reads synchronously, for files that are opened at first use. */
  readNow(path: string, expected?: number): Uint8Array<ArrayBuffer>;
  /**
   * Opens a file of which only some parts are read, until it is no longer referred to; missing
   * where files are always read whole.
   */
  open?(path: string): OpenFile;
  /** Bytes of documents in a store from which parts of its files are read; always if missing. */
  readonly partsFrom?: number;
  /** Bytes of documents in a store from which parts of its indexes are read; never if missing. */
  readonly pagesFrom?: number;
  /** Returns the names in a folder, sorted. */
  list(folder: string): Promise<string[]>;
  /**
   * Creates the folder, for its owner alone, and its parents; returns the first folder that it
   * created.
   */
  makeFolder(folder: string): Promise<string | undefined>;
  /**
   * Creates a new file, writes the pieces and returns once they are on the disk (`sync: false`:
   * once they are written).
   */
  write(
    path: string,
    pieces: readonly Uint8Array[],
    options?: { readonly sync?: boolean },
  ): Promise<void>;
  /** Renames a file, atomically replacing any file at `to`. */
  rename(from: string, to: string): Promise<void>;
  /** Creates a second name for a file; fails if the name exists. */
  link(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Marks a file as modified now, by the clock of the disk, without changing its content. */
  touch?(path: string): Promise<void>;
  /** Returns when a file was modified, in milliseconds by the clock of the disk. */
  modified?(path: string): Promise<number>;
  /** Returns once the names in the folder are on the disk. */
  syncFolder(folder: string): Promise<void>;
}

/** Stores of fewer bytes of documents, some 250,000 passages, fit into memory. */
const FITS = 128 << 20;

/** Closes files that no document refers to any more. */
const unused = new FinalizationRegistry<number>(closeSync);

export const nodeDisk: Disk = {
  partsFrom: FITS,
  pagesFrom: FITS,
  open(path) {
    const { file, size } = openRegularNow(path);
    const opened: OpenFile = { size, readNow: (...where) => readAt(file, ...where) };
    unused.register(opened, file);
    return opened;
  },
  async read(path, expected) {
    const { file, size: all } = await openRegular(path);
    try {
      const size = bytesToRead(path, all, expected);
      // Filled below: zeros would cost as much time as the read.
      const bytes = new Uint8Array(Buffer.allocUnsafeSlow(size).buffer);
      let at = 0;
      while (at < size) {
        const { bytesRead } = await file.read(bytes, at, size - at, at);
        if (bytesRead === 0) return bytes.slice(0, at);
        at += bytesRead;
      }
      return bytes;
    } finally {
      await file.close();
    }
  },
  readNow(path, expected) {
    const { file, size } = openRegularNow(path);
    try {
      return readAt(file, 0, bytesToRead(path, size, expected));
    } finally {
      closeSync(file);
    }
  },
  list: async folder => (await readdir(folder)).sort(),
  makeFolder: folder => makeFolder(folder, 0o700),
  async write(path, pieces, options) {
    const file = await open(path, 'wx', await modeIn(dirname(path)));
    try {
      for (const piece of pieces) await writeAll(file, piece);
      if (options?.sync !== false) await file.sync();
    } finally {
      await file.close();
    }
  },
  rename: (from, to) => rename(from, to),
  link: (from, to) => link(from, to),
  remove: path => unlink(path),
  async touch(path) {
    // Writes the first byte again: `utimes` would set the clock of this machine, which may differ
    // from that of a network disk.
    const file = await open(path, 'r+');
    try {
      const first = Buffer.alloc(1);
      const { bytesRead } = await file.read(first, 0, 1, 0);
      if (bytesRead === 1) await file.write(first, 0, 1, 0);
    } finally {
      await file.close();
    }
  },
  async modified(path) {
    // Opening a file asks a network disk for its newest state, which `stat` alone may not.
    const file = await open(path, 'r');
    try {
      return (await file.stat()).mtimeMs;
    } finally {
      await file.close();
    }
  },
  async syncFolder(folder) {
    // Windows cannot open a folder; a rename is durable there.
    if (process.platform === 'win32') return;
    const handle = await open(folder, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
};

/** Returns the mode of files in a folder: whoever may not enter it may not read them either. */
async function modeIn(folder: string): Promise<number> {
  return (await stat(folder)).mode & 0o666;
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let at = 0;
  while (at < bytes.length) at += (await file.write(bytes, at, bytes.length - at)).bytesWritten;
}

/** Returns bytes of a file, in `into` if they fit there; fewer where the file ends. */
export function readAt(
  file: number,
  at: number,
  length: number,
  into?: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const bytes =
    into && length <= into.length
      ? into.subarray(0, length)
      : // Filled below: zeros would cost as much time as the read.
        new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
  let done = 0;
  for (let read = -1; done < length && read !== 0; done += read)
    read = readSync(file, bytes, done, length - done, at + done);
  return done === length ? bytes : bytes.slice(0, done);
}

/**
 * Creates folders like `mkdir` with `recursive`, which loops for ever if the parent exists but
 * accepts no folders (`/proc`).
 */
async function makeFolder(folder: string, mode: number = 0o777): Promise<string | undefined> {
  const above = dirname(folder);
  const first = above === folder || (await isThere(above)) ? undefined : await makeFolder(above);
  try {
    await mkdir(folder, mode);
    return first ?? folder;
  } catch (error) {
    if (errno(error) !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error;
    return first;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (errno(error) === 'ENOENT') return false;
    throw error;
  }
}
