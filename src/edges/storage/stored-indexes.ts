/**
 * Reads packed indexes of one generation from disk at first use; omits damaged ones, so that they
 * are rebuilt.
 */
import { join } from 'node:path';
import type { Remedy } from '../../errors.ts';
import type { PackedIndexes } from '../../retrieval/segment.ts';
import type { StoredSegment } from '../../retrieval/segmented-corpus.ts';
import { sha256 } from '../sha256.ts';
import type { Disk } from './disk.ts';
import type { Segment } from './generation.ts';
import { LITTLE_ENDIAN, type Packed, parseIndex } from './index-file.ts';
import type { IndexFile, SegmentFile, StoredFile } from './manifest.ts';
import { damaged, readFailure } from './store-errors.ts';

/** A damage that the store works around; the message ends with the hint. */
export interface StoreWarning {
  readonly code: 'index-damaged' | 'derived-damaged' | 'sources-damaged';
  readonly file: string;
  readonly message: string;
  readonly hint: string;
  readonly remedy: Remedy;
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

/** Returns the documents of each file, with its indexes. */
export function storedSegments(
  disk: Disk,
  folder: string,
  segments: readonly Segment[],
  isThere: (file: string) => boolean,
  warn: OnWarning,
): StoredSegment[] {
  return segments.map(({ file, documents }) => ({
    documents,
    indexes: storedIndexes(disk, folder, file, isThere, warn),
  }));
}

/**
 * Returns the packed indexes of one file of documents, each read at first use. `isThere` returns
 * true while a file belongs to the store.
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
        warn(damageWarning('index-damaged', { folder, file: file.file }, error));
        return undefined;
      }
    },
  };
}

/** Reads a lexical index. Throws a `PortError` for a file that is missing or damaged. */
export function readIndex(disk: Disk, folder: string, file: IndexFile): Packed {
  return readPacked(disk, folder, file, file.key);
}

/** Reads any packed index; throws like `readIndex`. */
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
  if (sha256(bytes) !== file.sha256) throw damaged(path, 'its content does not match its checksum');
  return parseIndex(path, key, bytes);
}
