/**
 * Simulates a disk in memory that can fail between any two of its steps, and then holds what a
 * power cut leaves: all synced data, and an arbitrary part of the rest. After Lucene's
 * MockDirectoryWrapper: unsynced content is lost, cut, zeroed, kept or has a flipped bit; unsynced
 * names appear or disappear one by one.
 */
import { basename, dirname } from 'node:path';
import type { Disk } from '../../src/stores/disk/disk.ts';

export class Died extends Error {}

interface FileState {
  bytes: Uint8Array<ArrayBuffer>;
  synced: boolean;
}

/** Returns xorshift32 random numbers: equal seeds give equal failures. */
export function randomOf(seed: number): () => number {
  let state = (seed * 2654435761) | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Returns the error of a code. `errno N` is an error number without a name, as node reports it. */
function failure(code: string, path: string): Error {
  const number = /^errno (\d+)$/.exec(code)?.[1];
  const fields =
    number === undefined
      ? { code }
      : { code: `Unknown system error -${number}`, errno: -number, syscall: 'write' };
  return Object.assign(new Error(`${code}: ${path}`), fields);
}

export class CrashingDisk implements Disk {
  /** Names as a running process sees them. */
  names: Map<string, FileState> = new Map<string, FileState>();
  /** Names that are synced. */
  private durable = new Map<string, FileState>();
  private readonly folders = new Set<string>(['/']);
  /** Folders whose names are synced. */
  private readonly durableFolders = new Set<string>(['/']);
  /** Number of steps so far. */
  steps = 0;
  /** The step at which the process dies, or at which an operation fails with `code`. */
  failAt: number = Number.POSITIVE_INFINITY;
  /**
   * Error code of the failure; if undefined, the process dies. `forever`: every later step fails
   * too.
   */
  code: string | undefined;
  forever = false;
  /** Only creating and writing files fails, as on a full disk. */
  onlyWrites = false;

  private step(path: string, writes = false): void {
    const now = this.steps++;
    if (this.onlyWrites && !writes) return;
    const hit = this.forever ? now >= this.failAt : now === this.failAt;
    if (this.code === undefined ? now >= this.failAt : hit)
      throw this.code === undefined ? new Died() : failure(this.code, path);
  }

  async read(path: string): Promise<Uint8Array<ArrayBuffer>> {
    return this.readNow(path);
  }

  readNow(path: string): Uint8Array<ArrayBuffer> {
    const file = this.names.get(path);
    if (!file) throw failure('ENOENT', path);
    return file.bytes.slice();
  }

  async list(folder: string): Promise<string[]> {
    if (!this.folders.has(folder)) throw failure('ENOENT', folder);
    return [...this.names.keys()]
      .filter(path => dirname(path) === folder)
      .map(path => basename(path))
      .sort();
  }

  async makeFolder(folder: string): Promise<string | undefined> {
    this.step(folder);
    const isNew = !this.folders.has(folder);
    this.folders.add(folder);
    return isNew ? folder : undefined;
  }

  async write(
    path: string,
    pieces: readonly Uint8Array[],
    options?: { readonly sync?: boolean },
  ): Promise<void> {
    if (this.names.has(path)) throw failure('EEXIST', path);
    this.step(path, true);
    const file: FileState = { bytes: new Uint8Array(0), synced: false };
    this.names.set(path, file);
    const all = Buffer.concat(pieces);
    this.step(path, true);
    file.bytes = new Uint8Array(all.subarray(0, all.length >> 1));
    this.step(path, true);
    file.bytes = new Uint8Array(all);
    if (options?.sync === false) return;
    this.step(path, true);
    file.synced = true;
  }

  async rename(from: string, to: string): Promise<void> {
    this.step(from);
    const file = this.names.get(from);
    if (!file) throw failure('ENOENT', from);
    this.names.delete(from);
    this.names.set(to, file);
  }

  async link(from: string, to: string): Promise<void> {
    this.step(from);
    if (this.names.has(to)) throw failure('EEXIST', to);
    this.names.set(to, this.names.get(from)!);
  }

  async remove(path: string): Promise<void> {
    this.step(path);
    if (!this.names.delete(path)) throw failure('ENOENT', path);
  }

  async syncFolder(folder: string): Promise<void> {
    this.step(folder);
    for (const inner of this.folders) if (dirname(inner) === folder) this.durableFolders.add(inner);
    for (const path of new Set([...this.names.keys(), ...this.durable.keys()])) {
      if (dirname(path) !== folder) continue;
      const file = this.names.get(path);
      if (file) this.durable.set(path, file);
      else this.durable.delete(path);
    }
  }

  /**
   * Returns the disk that the next process finds after kill -9: all written data, with the lock of
   * the dead process.
   */
  afterKill(): CrashingDisk {
    return this.successor(new Map([...this.names].map(([path, file]) => [path, file.bytes])));
  }

  /** Returns the disk after a power cut. */
  afterPowerCut(random: () => number): CrashingDisk {
    const left = new Map<string, Uint8Array<ArrayBuffer>>();
    const lost = [...this.folders].filter(name => !this.durableFolders.has(name) && random() < 0.5);
    for (const path of new Set([...this.names.keys(), ...this.durable.keys()])) {
      const now = this.names.get(path);
      const before = this.durable.get(path);
      const file = now === before || random() < 0.5 ? now : before;
      if (file && !lost.includes(dirname(path)))
        left.set(path, file.synced ? file.bytes : ruined(file.bytes, random));
    }
    return this.successor(left, lost);
  }

  private successor(
    files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
    lost: readonly string[] = [],
  ): CrashingDisk {
    const next = new CrashingDisk();
    for (const folder of this.folders) {
      if (lost.includes(folder)) continue;
      next.folders.add(folder);
      next.durableFolders.add(folder);
    }
    for (const [path, bytes] of files) {
      // All processes of the test share one process id, so that the lock of the dead one is
      // released explicitly.
      const lock = /lock-\d+$/.test(path) && bytes.length > 0;
      const file = {
        bytes: lock ? new Uint8Array(Buffer.from('{"free":true}')) : bytes.slice(),
        synced: true,
      };
      next.names.set(path, file);
      next.durable.set(path, file);
    }
    return next;
  }
}

/** Returns content that was never synced: empty, cut, zeroed, intact or with one flipped bit. */
export function ruined(
  bytes: Uint8Array<ArrayBuffer>,
  random: () => number,
): Uint8Array<ArrayBuffer> {
  const kind = Math.floor(random() * 5);
  if (kind === 0) return new Uint8Array(0);
  if (kind === 1) return bytes.slice(0, Math.floor(random() * bytes.length));
  if (kind === 2) return new Uint8Array(bytes.length);
  const copy = bytes.slice();
  if (kind === 3 && copy.length > 0)
    copy[Math.floor(random() * copy.length)]! ^= 1 << Math.floor(random() * 8);
  return copy;
}
