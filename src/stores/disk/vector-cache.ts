/**
 * Caches vectors on disk: one append-only file per space, written by any number of processes at
 * once. Files are never repaired: a record that is cut or damaged is skipped, and its vector
 * computed again.
 *
 * A file is a line of JSON { format: "multihop vectors 1", space }, then records. A record is
 * "mhv1" in bytes 0-3, the dimensions (little-endian) in bytes 4-7, the CRC-32 of dimensions, key
 * and vector in bytes 8-11, the key, a SHA-256, in bytes 12-43, and the vector as little-endian
 * f32.
 */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { PortError } from '../../core/errors.ts';
import type { VectorCache } from '../../models/vector-cache.ts';
import { sha256 } from '../../platform/sha256.ts';
import { readFailure, writeFailure } from './store-errors.ts';

const MARK = Buffer.from('mhv1', 'latin1');
const HEAD = 44;
/** Most dimensions of a vector; no embedder has more. */
const MOST_DIMENSIONS = 65_536;
/** Bytes in which a header ends; the space of a template is long. */
const HEADER_BYTES = 64 * 1024;
/** A link in a store of somebody else would lead records into another file. */
const APPEND =
  constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
const PIECE = 4 * 2 ** 20;

interface Place {
  readonly at: number;
  readonly dimensions: number;
}

/**
 * A cache in a folder, which is opened at first use. A file that cannot be written is still read.
 * Throws `PortError` of the port "store" if the disk fails.
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

  /** Returns the number of vectors of the space, and of damaged places of its file. */
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
    // Lets the next call try again.
    opening.catch(() => this.files.delete(space));
    return opening;
  }
}

/** Returns a file name: the beginning of the space's name, which people can read, and its hash. */
export function cacheFileName(space: string): string {
  const words = space.replaceAll(/[^\w.-]+/g, '-').slice(0, 60);
  return `${words}-${sha256(space).slice(0, 16)}.vectors`;
}

async function openFile(folder: string, space: string): Promise<CacheFile> {
  const path = join(folder, cacheFileName(space));
  const header = Buffer.from(`${JSON.stringify({ format: 'multihop vectors 1', space })}\n`);
  try {
    await mkdir(folder, { recursive: true });
    const handle = await open(path, APPEND, 0o600);
    if ((await handle.stat()).size === 0) await handle.write(header);
    await checkSpace(handle, path, space);
    return new CacheFile(handle, path, folder, header.length);
  } catch (error) {
    const failure = writeFailure(folder, error);
    const readable =
      PortError.is(failure) && failure.code === 'store-not-writable'
        ? await openToRead(path)
        : undefined;
    if (readable) await checkSpace(readable, path, space);
    if (readable) return new CacheFile(readable, path, folder, header.length, failure);
    throw failure;
  }
}

/**
 * Throws `PortError('other-cache-space')` for the file of another space, which has its name by
 * mistake: records do not name their space. A header that was cut tells nothing.
 */
async function checkSpace(handle: FileHandle, path: string, space: string): Promise<void> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
  const received = spaceOf(buffer.subarray(0, bytesRead));
  if (received === undefined || received === space) return;
  await handle.close();
  throw new PortError('store', 'other-cache-space', `"${path}" holds vectors of another space`, {
    expected: space,
    received,
    hint: `Rename it to "${cacheFileName(received)}", or delete it: vectors are computed again.`,
  });
}

function spaceOf(bytes: Buffer): string | undefined {
  try {
    const { space } = JSON.parse(bytes.toString('utf8', 0, bytes.indexOf('\n'))) as {
      space?: unknown;
    };
    return typeof space === 'string' ? space : undefined;
  } catch {
    return undefined;
  }
}

/** Opens a file to read; returns undefined if it is missing or not readable. */
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
  /** Bytes read so far. */
  private end = 0;
  /** End of the last whole record. */
  private whole: number;
  private damaged = 0;
  /** Serialises reads and writes. */
  private last: Promise<unknown> = Promise.resolve();

  /** The error of writing, for a file that can only be read. */
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
        const read = keys.map(bytesOfKey);
        const vectors = await this.vectors(new Set(read));
        return read.map(key => vectors.get(key)?.slice());
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
        // One write appends at the current end of the file, whatever other processes write.
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

  /** Reads records that this or another process appended since. */
  private async readOn(): Promise<void> {
    const { size } = await this.handle.stat();
    // The file was truncated: all known places are invalid.
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
   * Adds the whole records of bytes at `from` in the file. Returns the number of bytes done: the
   * rest may be a record whose end follows.
   */
  private take(bytes: Buffer, from: number): number {
    for (let at = 0; ; ) {
      const mark = bytes.indexOf(MARK, at);
      if (mark < 0) return Math.max(at, bytes.length - MARK.length + 1);
      const length = wholeLength(bytes, mark);
      if (length === 'cut') {
        // Unless a whole record follows, it is being written now, or extends beyond the bytes read.
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

  /** Returns the stored vectors, verified again; neighbours in the file are read together. */
  private async vectors(keys: ReadonlySet<string>): Promise<Map<string, Float32Array>> {
    const vectors = new Map<string, Float32Array>();
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
          vectors.set(key, vectorOf(record));
        else if (this.places.delete(key)) this.damaged++;
      }
      first = next;
    }
    return vectors;
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

/** Returns the CRC-32 of dimensions, key and vector. */
const checksum = (record: Buffer): number =>
  crc32(record.subarray(12), crc32(record.subarray(4, 8)));

/**
 * Returns the length of the record that begins here; "cut" if its end is missing, "bad" if it is
 * invalid.
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

/** Returns the offset of the next whole record, or -1. */
function nextWhole(bytes: Buffer, from: number): number {
  for (let mark = bytes.indexOf(MARK, from); mark >= 0; mark = bytes.indexOf(MARK, mark + 1))
    if (typeof wholeLength(bytes, mark) === 'number') return mark;
  return -1;
}

/**
 * Returns the 32 bytes of a key as a string of 32 characters: half the memory of its hexadecimal
 * form.
 */
function bytesOfKey(key: string): string {
  if (!/^[0-9a-f]{64}$/.test(key))
    throw new TypeError('The key of a vector is a SHA-256 in hexadecimal');
  return Buffer.from(key, 'hex').toString('latin1');
}
