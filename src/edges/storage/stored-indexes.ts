/**
 * The packed indexes of one generation, read from disk when first asked for; what is damaged is
 * left out, so that it is built again.
 */
import { join } from 'node:path';
import type { PackedIndexes } from '../../retrieval/segment.ts';
import { sha256 } from '../sha256.ts';
import type { Disk } from './disk.ts';
import { LITTLE_ENDIAN, type Packed, parseIndex } from './index-file.ts';
import type { IndexFile, SegmentFile, StoredFile } from './manifest.ts';
import { damaged, readFailure } from './store-errors.ts';

export interface StoreWarning {
  readonly code: 'index-damaged' | 'derived-damaged';
  readonly file: string;
  readonly message: string;
}
export type OnWarning = (warning: StoreWarning) => void;

/**
 * Returns the packed indexes of one file of documents, each read when first asked for. `isThere`
 * tells whether a file still belongs to the store.
 */
export function storedIndexes(
  disk: Disk,
  folder: string,
  { indexes = [] }: SegmentFile,
  isThere: (file: string) => boolean,
  warn: OnWarning,
): PackedIndexes {
  const files = new Map(LITTLE_ENDIAN ? indexes.map(file => [file.key, file]) : []);
  return {
    get(key) {
      const file = files.get(key);
      if (!file || !isThere(file.file)) return undefined;
      try {
        return readIndex(disk, folder, file);
      } catch (error) {
        files.delete(key);
        const message = `${(error as Error).message.split('. ')[0]}. It is built again from the documents; \`multihop verify --repair\` writes it anew`;
        warn({ code: 'index-damaged', file: file.file, message });
        return undefined;
      }
    },
  };
}

/** Throws a `PortError` for a file that is missing or not as it was written. */
export function readIndex(disk: Disk, folder: string, file: IndexFile): Packed {
  return readPacked(disk, folder, file, file.key);
}

/** Throws as `readIndex`. */
export function readPacked(disk: Disk, folder: string, file: StoredFile, key: string): Packed {
  const path = join(folder, file.file);
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = disk.readNow(path);
  } catch (error) {
    throw readFailure(path, error);
  }
  if (bytes.length !== file.bytes)
    throw damaged(path, `it has ${bytes.length} bytes, not ${file.bytes}`);
  if (sha256(bytes) !== file.sha256) throw damaged(path, 'its content does not fit its checksum');
  return parseIndex(path, key, bytes);
}
