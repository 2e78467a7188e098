/**
 * Reads files of a store before they are asked for, all at once and beside other work. Only files
 * that never change: all but `store.json`.
 */
import { join } from 'node:path';
import type { Disk } from './disk.ts';
import type { Manifest, StoredFile } from './manifest.ts';

interface Ahead {
  readonly bytes: Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Undefined until it is read, and if it cannot be. */
  read?: Uint8Array<ArrayBuffer>;
}

/** A disk that holds each file read ahead until it is asked for, once. */
export class ReadAhead {
  readonly disk: Disk;
  private readonly files = new Map<string, Ahead>();

  /** Begins to read these files of a folder. A failure is left to the read that asks for it. */
  constructor(disk: Disk, folder: string, files: readonly StoredFile[]) {
    for (const { file } of files) {
      const path = join(folder, file);
      const ahead: Ahead = { bytes: disk.read(path).catch(() => undefined) };
      this.files.set(path, ahead);
      void ahead.bytes.then(bytes => bytes && (ahead.read = bytes));
    }
    this.disk = {
      ...disk,
      read: async path => (await this.take(path)?.bytes) ?? disk.read(path),
      readNow: path => this.take(path)?.read ?? disk.readNow(path),
    };
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

/** Returns the files that a run reads: documents, tables and the indexes of these keys. */
export function filesRead({ segments }: Manifest, keys: readonly string[]): StoredFile[] {
  const indexes = segments.flatMap(({ indexes: own = [] }) => own);
  return [...indexes.filter(({ key }) => key === 'table'), ...segments].concat(
    indexes.filter(({ key }) => keys.includes(key)),
  );
}
