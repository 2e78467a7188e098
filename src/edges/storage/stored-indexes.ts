/**
 * The packed indexes of one generation, read from disk when first asked for; what is damaged is
 * left out, so that it is built again.
 */
import { join } from 'node:path';
import { sha256 } from '../sha256.ts';
import type { Disk } from './disk.ts';
import { LITTLE_ENDIAN, type Packed, parseIndex } from './index-file.ts';
import type { IndexFile, Manifest, StoredFile } from './manifest.ts';
import { damaged, readFailure } from './store-errors.ts';

export interface StoreWarning {
  readonly code: 'index-damaged' | 'derived-damaged';
  readonly file: string;
  readonly message: string;
}
export type OnWarning = (warning: StoreWarning) => void;

/** A map that reads a file at `get`. */
export class StoredIndexes implements ReadonlyMap<string, Packed> {
  private readonly files: ReadonlyMap<string, IndexFile>;
  private readonly read = new Map<string, Packed | undefined>();
  private readonly disk: Disk;
  private readonly folder: string;
  private readonly warn: OnWarning;

  constructor(disk: Disk, folder: string, manifest: Manifest, warn: OnWarning) {
    this.disk = disk;
    this.folder = folder;
    this.warn = warn;
    this.files = new Map(LITTLE_ENDIAN ? manifest.indexes.map(file => [file.key, file]) : []);
  }

  get(key: string): Packed | undefined {
    const file = this.files.get(key);
    if (!file) return undefined;
    if (!this.read.has(key)) this.read.set(key, this.open(file));
    return this.read.get(key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  get size(): number {
    return [...this.entries()].length;
  }

  *entries(): MapIterator<[string, Packed]> {
    for (const key of this.files.keys()) {
      const packed = this.get(key);
      if (packed) yield [key, packed];
    }
  }

  *keys(): MapIterator<string> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<Packed> {
    for (const [, packed] of this.entries()) yield packed;
  }

  [Symbol.iterator](): MapIterator<[string, Packed]> {
    return this.entries();
  }

  forEach(visit: (packed: Packed, key: string, map: ReadonlyMap<string, Packed>) => void): void {
    for (const [key, packed] of this.entries()) visit(packed, key, this);
  }

  private open(file: IndexFile): Packed | undefined {
    try {
      return readIndex(this.disk, this.folder, file);
    } catch (error) {
      const message = `${(error as Error).message.split('. ')[0]}. It is built again from the documents; \`multihop verify --repair\` writes it anew`;
      this.warn({ code: 'index-damaged', file: file.file, message });
      return undefined;
    }
  }
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
