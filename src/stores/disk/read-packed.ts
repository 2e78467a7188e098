/** Reads files of indexes, and words the warning of a damaged one. */
import { join } from 'node:path';
import type { Remedy } from '../../core/errors.ts';
import { isUndamaged } from './checksums.ts';
import type { Disk } from './disk.ts';
import { type Packed, parseIndex } from './index-file.ts';
import type { StoredFile } from './manifest.ts';
import { type Bytes, type KeptPostings, openIndex } from './paged-index.ts';
import { checkSize, damaged, readFailure } from './store-errors.ts';

/** A damage, or an older state, that the store works with; the message ends with the hint. */
export interface StoreWarning {
  readonly code: 'index-damaged' | 'derived-damaged' | 'sources-damaged' | 'store-older';
  readonly file: string;
  readonly message: string;
  readonly hint: string;
  /** Missing for a state that no command mends. */
  readonly remedy?: Remedy;
}
export type OnWarning = (warning: StoreWarning) => void;

/** Returns the warning of a damaged file that can be built again. */
export function damageWarning(
  code: StoreWarning['code'],
  { folder, file }: { readonly folder: string; readonly file: string },
  error: unknown,
): StoreWarning {
  const hint = `To write it anew, open "${folder}" by Store.open; call rebuild, embed and writeIndexes`;
  const what = (error as Error).message.split('. ')[0];
  const message = `${what}. It is built again from the documents. ${hint}`;
  return { code, file, message, hint, remedy: { id: 'repair-store', name: folder } };
}

/**
 * Reads the index of a key, whole unless `kept` is there to keep postings of it. Throws a
 * `PortError` for a file that is missing or damaged.
 */
export function readPacked(
  disk: Disk,
  folder: string,
  file: StoredFile,
  key: string,
  kept?: KeptPostings,
): Packed {
  const path = join(folder, file.file);
  const paged = kept && openIndex(path, key, partsOf(disk, path, file), file.bytes, kept);
  if (paged) return paged;
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = disk.readNow(path, file.bytes);
  } catch (error) {
    throw readFailure(path, error);
  }
  checkSize(path, bytes.length, file.bytes);
  if (!isUndamaged(bytes, file)) throw damaged(path, 'its content does not match its checksum');
  return parseIndex(path, key, bytes);
}

/** Returns a function that reads bytes of a file, on a disk that reads parts of files. */
export function partsOf(disk: Disk, path: string, file: StoredFile): Bytes {
  const opened = reading(path, () => disk.open!(path));
  checkSize(path, opened.size, file.bytes);
  return (from, to, into) => reading(path, () => opened.readNow(from, to - from, into));
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw readFailure(path, error);
  }
}
