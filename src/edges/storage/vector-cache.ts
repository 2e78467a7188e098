/**
 * The cache of vectors on disk: one append-only file for each space, written by any number of
 * processes at once and never repaired, only read with care. A record that is cut or damaged is
 * skipped: what it held is computed again.
 *
 *     file     a line of JSON { format: "multihop vectors 1", space }, then records
 *     record   bytes 0-3    "mhv1"
 *              bytes 4-7    dimensions, little-endian
 *              bytes 8-11   CRC-32 of all that follows and of the dimensions
 *              bytes 12-43  the key: a SHA-256
 *              the vector   f32, little-endian
 */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { PortError } from '../../errors.ts';
import type { VectorCache } from '../../models/vector-cache.ts';
import { sha256 } from '../sha256.ts';
import { readFailure, writeFailure } from './store-errors.ts';

const MARK = Buffer.from('mhv1', 'latin1');
const HEAD = 44;
/** No embedder has more. */
const MOST_DIMENSIONS = 65_536;
const PIECE = 4 * 2 ** 20;

interface Place {
  readonly at: number;
  readonly dimensions: number;
}

/**
 * Opens the folder when it is first used; what cannot be written is still read. Throws `PortError`
 * of the port "store" when the disk fails.
 */
export class VectorCacheFolder implements VectorCache {
  private readonly folder: string;
  private readonly files = new Map<string, Promise<CacheFile>>();

  constructor(folder: string) {
    this.folder = folder;
  }

  async get(space: string, keys: readonly string[]): Promise<(Float32Array | undefined)[]> {
    return (await this.file(space)).get(keys);
  }

  async put(
    space: string,
    entries: readonly (readonly [key: string, vector: Float32Array])[],
  ): Promise<void> {
    await (await this.file(space)).put(entries);
  }

  /** How many vectors the space holds, and how many places of its file were damaged. */
  async counts(space: string): Promise<{ readonly vectors: number; readonly damaged: number }> {
    return (await this.file(space)).counts();
  }

  async close(): Promise<void> {
    const files = await Promise.allSettled(this.files.values());
    this.files.clear();
    for (const file of files) if (file.status === 'fulfilled') await file.value.close();
  }

  private file(space: string): Promise<CacheFile> {
    const known = this.files.get(space);
    if (known) return known;
    const opening = openFile(this.folder, space);
    this.files.set(space, opening);
    // The next call tries again.
    opening.catch(() => this.files.delete(space));
    return opening;
  }
}

/** The beginning of the space's name for people, its hash for the rest. */
export function cacheFileName(space: string): string {
  const words = space.replaceAll(/[^\w.-]+/g, '-').slice(0, 60);
  return `${words}-${sha256(space).slice(0, 16)}.vectors`;
}

async function openFile(folder: string, space: string): Promise<CacheFile> {
  const path = join(folder, cacheFileName(space));
  const header = Buffer.from(`${JSON.stringify({ format: 'multihop vectors 1', space })}\n`);
  try {
    await mkdir(folder, { recursive: true });
    const handle = await open(
      path,
      constants.O_RDWR | constants.O_CREAT | constants.O_APPEND,
      0o644,
    );
    if ((await handle.stat()).size === 0) await handle.write(header);
    return new CacheFile(handle, path, folder, header.length);
  } catch (error) {
    const failure = writeFailure(folder, error);
    const readable =
      PortError.is(failure) && failure.code === 'store-not-writable'
        ? await openToRead(path)
        : undefined;
    if (readable) return new CacheFile(readable, path, folder, header.length, failure);
    throw failure;
  }
}

/** Undefined where it is not there, or may not be read either. */
async function openToRead(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY);
  } catch {
    return undefined;
  }
}

class CacheFile {
  private readonly places = new Map<string, Place>();
  private readonly handle: FileHandle;
  private readonly path: string;
  private readonly folder: string;
  /** Up to here the file is read. */
  private end = 0;
  /** Up to here the last whole record reaches. */
  private whole: number;
  private damaged = 0;
  /** One at a time reads on or writes. */
  private last: Promise<unknown> = Promise.resolve();

  /** Why it cannot be written. */
  private readonly readOnly: unknown;

  constructor(
    handle: FileHandle,
    path: string,
    folder: string,
    headerBytes: number,
    readOnly?: unknown,
  ) {
    this.readOnly = readOnly;
    this.handle = handle;
    this.path = path;
    this.folder = folder;
    this.whole = headerBytes;
  }

  get(keys: readonly string[]): Promise<(Float32Array | undefined)[]> {
    return this.inTurn(async () => {
      try {
        await this.readOn();
        const wanted = keys.map(bytesOfKey);
        const found = await this.vectors(new Set(wanted));
        return wanted.map(key => found.get(key)?.slice());
      } catch (error) {
        throw readFailure(this.path, error);
      }
    });
  }

  put(entries: readonly (readonly [key: string, vector: Float32Array])[]): Promise<void> {
    return this.inTurn(async () => {
      if (this.readOnly !== undefined) throw this.readOnly;
      try {
        const records = entries
          .filter(([key]) => !this.places.has(bytesOfKey(key)))
          .map(([key, vector]) => record(bytesOfKey(key), vector));
        // One write: at the end of the file as it is then, whoever else writes.
        const bytes = Buffer.concat(records);
        for (let at = 0; at < bytes.length; )
          at += (await this.handle.write(bytes, at)).bytesWritten;
        if (bytes.length > 0) await this.handle.datasync();
        await this.readOn();
      } catch (error) {
        throw writeFailure(this.folder, error);
      }
    });
  }

  counts(): Promise<{ vectors: number; damaged: number }> {
    return this.inTurn(async () => {
      await this.readOn();
      return { vectors: this.places.size, damaged: this.damaged };
    });
  }

  close(): Promise<void> {
    return this.inTurn(() => this.handle.close());
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work);
    this.last = turn.catch(() => {});
    return turn;
  }

  /** Takes in what was appended since, by this process or another. */
  private async readOn(): Promise<void> {
    const { size } = await this.handle.stat();
    // Somebody emptied the file: what was known of it is no more.
    if (size < this.end) {
      this.places.clear();
      this.end = this.whole = 0;
    }
    let at = this.end;
    let rest: Buffer = Buffer.alloc(0);
    while (at < size) {
      const piece = await this.read(at, Math.min(PIECE, size - at));
      if (piece.length === 0) break;
      at += piece.length;
      rest = Buffer.concat([rest, piece]);
      rest = rest.subarray(this.take(rest, at - rest.length));
      this.end = at - rest.length;
    }
  }

  /**
   * Takes the whole records of bytes that stand at `from` in the file. Returns how many bytes are
   * done with: the rest may be a record whose end is to come.
   */
  private take(bytes: Buffer, from: number): number {
    for (let at = 0; ; ) {
      const mark = bytes.indexOf(MARK, at);
      if (mark < 0) return Math.max(at, bytes.length - MARK.length + 1);
      const length = wholeLength(bytes, mark);
      if (length === 'cut') {
        // Unless a whole record follows, it is being written just now, or stands at the end of what
        // was read.
        const next = nextWhole(bytes, mark + 1);
        if (next < 0) return mark;
        at = next;
      } else if (length === 'bad') at = mark + 1;
      else {
        if (from + mark > this.whole) this.damaged++;
        this.places.set(bytes.toString('latin1', mark + 12, mark + HEAD), {
          at: from + mark,
          dimensions: (length - HEAD) / 4,
        });
        at = mark + length;
        this.whole = from + at;
      }
    }
  }

  /** The vectors that are there, checked once more; neighbours in the file are read together. */
  private async vectors(keys: ReadonlySet<string>): Promise<Map<string, Float32Array>> {
    const found = new Map<string, Float32Array>();
    const records = [...keys].flatMap(key => {
      const place = this.places.get(key);
      return place ? [{ key, at: place.at, end: place.at + HEAD + place.dimensions * 4 }] : [];
    });
    records.sort((a, b) => a.at - b.at);
    for (let first = 0; first < records.length; ) {
      const from = records[first]!.at;
      let next = first + 1;
      while (
        next < records.length &&
        records[next]!.at === records[next - 1]!.end &&
        records[next]!.end - from <= PIECE
      )
        next++;
      const bytes = await this.read(from, records[next - 1]!.end - from);
      for (const { key, at, end } of records.slice(first, next)) {
        const record = bytes.subarray(at - from, end - from);
        if (wholeLength(record, 0) === end - at && record.toString('latin1', 12, HEAD) === key)
          found.set(key, vectorOf(record));
        else if (this.places.delete(key)) this.damaged++;
      }
      first = next;
    }
    return found;
  }

  private async read(at: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await this.handle.read(bytes, done, length - done, at + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return bytes.subarray(0, done);
  }
}

function record(key: string, vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(HEAD + vector.length * 4);
  MARK.copy(bytes);
  bytes.writeUInt32LE(vector.length, 4);
  bytes.write(key, 12, 'latin1');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < vector.length; at++) view.setFloat32(HEAD + at * 4, vector[at]!, true);
  bytes.writeUInt32LE(checksum(bytes), 8);
  return bytes;
}

function vectorOf(bytes: Buffer): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const vector = new Float32Array((bytes.length - HEAD) / 4);
  for (let at = 0; at < vector.length; at++) vector[at] = view.getFloat32(HEAD + at * 4, true);
  return vector;
}

/** Over dimensions, key and vector. */
const checksum = (record: Buffer): number =>
  crc32(record.subarray(12), crc32(record.subarray(4, 8)));

/**
 * The length of the record that begins here; "cut" when its end is not there, "bad" when it is
 * none.
 */
function wholeLength(bytes: Buffer, mark: number): number | 'cut' | 'bad' {
  if (mark + HEAD > bytes.length) return 'cut';
  const dimensions = bytes.readUInt32LE(mark + 4);
  if (dimensions > MOST_DIMENSIONS) return 'bad';
  const length = HEAD + dimensions * 4;
  if (mark + length > bytes.length) return 'cut';
  const record = bytes.subarray(mark, mark + length);
  return checksum(record) === record.readUInt32LE(8) ? length : 'bad';
}

/** Where the next whole record begins, or -1. */
function nextWhole(bytes: Buffer, from: number): number {
  for (let mark = bytes.indexOf(MARK, from); mark >= 0; mark = bytes.indexOf(MARK, mark + 1))
    if (typeof wholeLength(bytes, mark) === 'number') return mark;
  return -1;
}

/** 32 bytes as a string of as many characters: half the memory of its hexadecimal spelling. */
function bytesOfKey(key: string): string {
  if (!/^[0-9a-f]{64}$/.test(key))
    throw new TypeError('The key of a vector is a SHA-256 in hexadecimal');
  return Buffer.from(key, 'hex').toString('latin1');
}
