/** Declares the source of a loader: a file, or bytes in memory, under one shape. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileError } from '../../platform/file-error.ts';

export interface Source {
  /** Path as the caller gave it, for messages. */
  readonly path: string;
  /**
   * The document's id where the file itself is the document: the path below the folder that was
   * read, with `/`; the file's name when it was named itself.
   */
  readonly id: string;
  /** Bytes, as told before reading. */
  readonly size: number;
  /**
   * The bytes from the beginning, each time it is called. Throws `InputError` when the file cannot
   * be read.
   */
  stream(): AsyncIterable<Uint8Array>;
}

/** Most that is read of one thing, in bytes. */
export interface Limits {
  /** A document: a text file, a line, a row, a record. */
  readonly documentBytes: number;
  /** A JSON file, which is parsed in one piece. */
  readonly jsonBytes: number;
}

const MIB = 1024 * 1024;
/** design/reliability section 3: a document has 50 MiB at most. */
export const DEFAULT_LIMITS: Limits = { documentBytes: 50 * MIB, jsonBytes: 200 * MIB };

/** "50 MiB", "1.5 MiB", "900 bytes". */
export function printBytes(bytes: number): string {
  return bytes < MIB ? `${bytes} bytes` : `${Number((bytes / MIB).toFixed(1))} MiB`;
}

/** Largest file that is read in one piece: the stream of a small one costs more than its bytes. */
const ONE_PIECE = MIB;

/** Keeps the bytes of a small file for the next call of `stream`: lives as long as the source. */
export function fileSource(path: string, id: string, size: number): Source {
  let piece: Uint8Array | undefined;
  return {
    path,
    id,
    size,
    async *stream() {
      try {
        // A size of 0 tells nothing of the files of /proc.
        if (size > 0 && size <= ONE_PIECE) piece ??= await onePiece(path, size);
        if (piece) yield piece;
        else yield* createReadStream(path, { highWaterMark: 256 * 1024 });
      } catch (error) {
        throw fileError(path, error);
      }
    },
  };
}

/** Returns the bytes of a file; undefined if it has more than were told. */
async function onePiece(path: string, size: number): Promise<Uint8Array | undefined> {
  const file = await open(path, 'r');
  try {
    const bytes = Buffer.allocUnsafeSlow(size + 1);
    for (let at = 0; at <= size; ) {
      const { bytesRead } = await file.read(bytes, at, size + 1 - at, at);
      at += bytesRead;
      // A file with more bytes than told would have filled the last one.
      if (bytesRead === 0 || at === size) return bytes.subarray(0, at);
    }
    return undefined;
  } finally {
    await file.close();
  }
}

export function memorySource(path: string, bytes: Uint8Array | string): Source {
  const data = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  return {
    path,
    id: path,
    size: data.length,
    async *stream() {
      yield data;
    },
  };
}
