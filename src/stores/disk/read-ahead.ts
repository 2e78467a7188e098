/**
 * Reads files of a store before they are asked for, all at once and beside other work. Only files
 * that never change: all but `store.json`.
 */
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { openRegularNow } from '../../platform/regular-file.ts';
import { type Disk, type OpenFile, readAt } from './disk.ts';
import { readsPages } from './generation.ts';
import type { IndexFile, Manifest, StoredFile } from './manifest.ts';

interface Ahead {
  readonly bytes: Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Undefined until it is read, and if it cannot be. */
  read?: Uint8Array<ArrayBuffer>;
}

/**
 * A disk that holds each file read ahead until it is asked for, once, and reads of files of
 * documents only the parts that are asked for.
 */
export class ReadAhead implements Disposable {
  readonly disk: Disk;
  private readonly opened: number[] = [];
  private readonly files = new Map<string, Ahead>();

  /** Begins to read these files of a folder. A failure is left to the read that asks for it. */
  constructor(disk: Disk, folder: string, files: readonly StoredFile[]) {
    for (const { file, bytes } of files) {
      const path = join(folder, file);
      const ahead: Ahead = { bytes: disk.read(path, bytes).catch(() => undefined) };
      this.files.set(path, ahead);
      void ahead.bytes.then(bytes => bytes && (ahead.read = bytes));
    }
    this.disk = {
      ...disk,
      read: async (path, expected) => (await this.take(path)?.bytes) ?? disk.read(path, expected),
      readNow: (path, expected) => this.take(path)?.read ?? disk.readNow(path, expected),
      open: path => this.open(path),
      partsFrom: 0,
    };
  }

  /** Closes files of which parts were read: documents that were not read yet cannot be any more. */
  [Symbol.dispose](): void {
    for (const file of this.opened.splice(0)) closeSync(file);
  }

  private open(path: string): OpenFile {
    const { file, size } = openRegularNow(path);
    this.opened.push(file);
    return { size, readNow: (...where) => readAt(file, ...where) };
  }

  /** Waits until all files are read. */
  async settled(): Promise<void> {
    await Promise.all([...this.files.values()].map(({ bytes }) => bytes));
  }

  private take(path: string): Ahead | undefined {
    const ahead = this.files.get(path);
    this.files.delete(path);
    return ahead;
  }
}

/**
 * Returns the files that a run reads whole: documents without a table, and unless the disk reads
 * parts of them the tables and the indexes of these keys.
 */
export function filesRead(
  disk: Disk,
  { segments }: Manifest,
  keys: readonly string[],
): StoredFile[] {
  const indexes = segments.flatMap(({ indexes: files = [] }) => files);
  const bare = segments.filter(({ indexes: files = [] }) => !files.some(isTable));
  if (readsPages(disk, segments)) return bare;
  return [...indexes.filter(isTable), ...bare].concat(
    indexes.filter(({ key }) => keys.includes(key)),
  );
}

const isTable = ({ key }: IndexFile): boolean => key === 'table';
