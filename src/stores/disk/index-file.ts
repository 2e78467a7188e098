/**
 * Stores one packed index as a file: a small JSON header, then the typed arrays as in memory, so
 * that loading creates views over one buffer, or reads parts of them.
 *
 * Bytes 0-7 are "mhindex1", bytes 8-15 the length of the header, a little-endian integer, padded so
 * that the arrays begin at a multiple of 8. The header is { key, header, arrays: [{ name, type, at,
 * length }] }, with `at` counted from the start of the file. The arrays are little-endian, each at
 * a multiple of 8. The last one, "pages", holds CRC-32 sums: of the bytes before the arrays, of
 * each page of the others, and of these sums.
 */

import { crc32 } from 'node:zlib';
import { parseJson } from '../../core/text/bounded-json.ts';
import type { Pause } from '../../platform/clock.ts';
import type { Packed } from '../../search/indexes/lexical/stored.ts';
import { damaged } from './store-errors.ts';

export type { Packed };

export type Column = Packed['arrays'][string];

const MAGIC = 'mhindex1';
type TypeName = 'u8' | 'u16' | 'u32' | 'i32' | 'f32' | 'f64';
const TYPES = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const satisfies Record<TypeName, unknown>;

export interface ArrayEntry {
  readonly name: string;
  readonly type: TypeName;
  readonly at: number;
  readonly length: number;
}

/** The part of a file before its arrays. */
export interface IndexHead {
  readonly header: Packed['header'];
  readonly arrays: readonly ArrayEntry[];
}

export const PAGES = 'pages';
/** Bytes of an array that one sum is of; the last page of an array may have fewer. */
export const PAGE: number = 1 << 12;

export const widthOf = ({ type }: ArrayEntry): number => TYPES[type].BYTES_PER_ELEMENT;
export const pagesIn = (bytes: number): number => Math.ceil(bytes / PAGE);

/**
 * True on little-endian machines, whose typed arrays equal those of the file. Big-endian machines
 * use no stored indexes.
 */
export const LITTLE_ENDIAN: boolean = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Pages that are summed in a few milliseconds. */
const PAUSE = 1 << 10;

const padded = (length: number): number => Math.ceil(length / 8) * 8;

/** Returns the file's pieces without copying the arrays. */
export async function indexPieces(
  key: string,
  packed: Packed,
  pause: Pause = async () => {},
): Promise<Uint8Array[]> {
  const given = Object.entries(packed.arrays);
  const pages = given.reduce((sum, [, { byteLength }]) => sum + pagesIn(byteLength), 0);
  const sums = new Uint32Array(pages + 2);
  const arrays = [...given, [PAGES, sums] as const].map(([name, array]) => {
    return { name, type: typeName(array), array };
  });
  const print = (start: number): string => {
    let at = start;
    const entries: ArrayEntry[] = arrays.map(({ name, type, array }) => {
      const entry = { name, type, at, length: array.length };
      at += padded(array.byteLength);
      return entry;
    });
    return JSON.stringify({ key, header: packed.header, arrays: entries });
  };
  // The header holds positions that depend on its own length: a generous first guess leaves room
  // for their digits.
  const start = 16 + padded(Buffer.byteLength(print(0)) + arrays.length * 16);
  const head = Buffer.alloc(start, ' ');
  head.write(MAGIC, 0, 'latin1');
  head.writeBigUInt64LE(BigInt(start - 16), 8);
  head.write(print(start), 16);
  const pieces: Uint8Array[] = [head];
  let page = 0;
  sums[page++] = crc32(head);
  for (const { array } of arrays) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    pieces.push(bytes);
    if (array === sums) sums[page] = crc32(bytes.subarray(0, -4));
    else
      for (let at = 0; at < bytes.length; at += PAGE) {
        sums[page++] = crc32(bytes.subarray(at, at + PAGE));
        if (page % PAUSE === 0) await pause();
      }
    const gap = padded(array.byteLength) - array.byteLength;
    if (gap > 0) pieces.push(new Uint8Array(gap));
  }
  return pieces;
}

/** Returns the packed index as views over the bytes. Throws `PortError('store-damaged')`. */
export function parseIndex(path: string, key: string, bytes: Uint8Array<ArrayBuffer>): Packed {
  const head = parseHead(path, key, bytes.subarray(0, headLength(path, bytes, bytes.length)));
  const arrays = Object.fromEntries(
    head.arrays
      .filter(({ name }) => name !== PAGES)
      .map(entry => [entry.name, view(path, bytes, entry)]),
  );
  return { header: head.header, arrays: arrays as Packed['arrays'] };
}

/** Returns the length of what is before the arrays, by its first 16 bytes. */
export function headLength(path: string, first: Uint8Array, size: number): number {
  const buffer = Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  if (buffer.length < 16 || buffer.toString('latin1', 0, 8) !== MAGIC)
    throw damaged(path, 'it is not the file of an index');
  const length = Number(buffer.readBigUInt64LE(8));
  if (length > size - 16) throw damaged(path, 'its header is cut');
  return 16 + length;
}

/** Parses what is before the arrays. */
export function parseHead(path: string, key: string, bytes: Uint8Array): IndexHead {
  let read: IndexHead & { readonly key: string };
  try {
    const json = Buffer.from(bytes.buffer, bytes.byteOffset + 16, bytes.byteLength - 16);
    read = parseJson(json.toString('utf8')) as typeof read;
  } catch (error) {
    throw damaged(path, 'its header is not JSON', error);
  }
  if (read?.key !== key) throw damaged(path, `it holds the index "${read?.key}", not "${key}"`);
  if (!Array.isArray(read.arrays)) throw damaged(path, 'its header lists no arrays');
  return read;
}

function view(path: string, bytes: Uint8Array<ArrayBuffer>, entry: ArrayEntry): Column {
  checkEntry(path, entry, bytes.length);
  return columnOf(entry, bytes.buffer, bytes.byteOffset + entry.at, entry.length);
}

/** Throws `PortError('store-damaged')` unless an array lies in a file of so many bytes. */
export function checkEntry(path: string, entry: ArrayEntry, size: number): void {
  const { name, type, at, length } = entry;
  const width = TYPES[type]?.BYTES_PER_ELEMENT ?? 0;
  if (!(width > 0) || at % 8 !== 0 || !(length >= 0) || at + length * width > size)
    throw damaged(path, `its array "${name}" is cut`);
}

export function columnOf(
  { type }: ArrayEntry,
  buffer: ArrayBuffer,
  at: number,
  length: number,
): Column {
  const Type = TYPES[type] as new (buffer: ArrayBuffer, at: number, length: number) => Column;
  return new Type(buffer, at, length);
}

function typeName(array: Column): TypeName {
  for (const [name, Type] of Object.entries(TYPES))
    if ((array as unknown) instanceof Type) return name as TypeName;
  throw new TypeError('An index holds an array of an unknown type');
}
