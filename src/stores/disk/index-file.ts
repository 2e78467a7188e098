/**
 * Stores one packed index as a file: a small JSON header, then the typed arrays as in memory, so
 * that loading creates views over one buffer.
 *
 * Bytes 0-7 are "mhindex1", bytes 8-15 the length of the header, a little-endian integer, padded so
 * that the arrays begin at a multiple of 8. The header is { key, header, arrays: [{ name, type, at,
 * length }] }, with `at` counted from the start of the file. The arrays are little-endian, each at
 * a multiple of 8.
 */

import { parseJson } from '../../core/text/bounded-json.ts';
import type { Packed } from '../../search/indexes/lexical/stored.ts';
import { damaged } from './store-errors.ts';

export type { Packed };

type Column = Packed['arrays'][string];

const MAGIC = 'mhindex1';
const TYPES = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;
type TypeName = keyof typeof TYPES;

interface ArrayEntry {
  readonly name: string;
  readonly type: TypeName;
  readonly at: number;
  readonly length: number;
}

/**
 * True on little-endian machines, whose typed arrays equal those of the file. Big-endian machines
 * use no stored indexes.
 */
export const LITTLE_ENDIAN: boolean = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

const padded = (length: number): number => Math.ceil(length / 8) * 8;

/** Returns the file's pieces without copying the arrays. */
export function indexPieces(key: string, packed: Packed): Uint8Array[] {
  const arrays = Object.entries(packed.arrays).map(([name, array]) => ({
    name,
    type: typeName(array),
    array,
  }));
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
  for (const { array } of arrays) {
    pieces.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    const gap = padded(array.byteLength) - array.byteLength;
    if (gap > 0) pieces.push(new Uint8Array(gap));
  }
  return pieces;
}

/** Returns the packed index as views over the bytes. Throws `PortError('store-damaged')`. */
export function parseIndex(path: string, key: string, bytes: Uint8Array<ArrayBuffer>): Packed {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < 16 || buffer.toString('latin1', 0, 8) !== MAGIC)
    throw damaged(path, 'it is not the file of an index');
  const length = Number(buffer.readBigUInt64LE(8));
  if (length > buffer.length - 16) throw damaged(path, 'its header is cut');
  let read: { key: string; header: Packed['header']; arrays: ArrayEntry[] };
  try {
    read = parseJson(buffer.toString('utf8', 16, 16 + length)) as typeof read;
  } catch (error) {
    throw damaged(path, 'its header is not JSON', error);
  }
  if (read.key !== key) throw damaged(path, `it holds the index "${read.key}", not "${key}"`);
  const arrays = Object.fromEntries(
    read.arrays.map(entry => [entry.name, view(path, bytes, entry)]),
  );
  return { header: read.header, arrays: arrays as Packed['arrays'] };
}

function view(
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  { name, type, at, length }: ArrayEntry,
): Column {
  const Type = TYPES[type] as new (buffer: ArrayBuffer, at: number, length: number) => Column;
  const width = TYPES[type]?.BYTES_PER_ELEMENT ?? 0;
  if (!(width > 0) || at % 8 !== 0 || !(length >= 0) || at + length * width > bytes.length)
    throw damaged(path, `its array "${name}" is cut`);
  return new Type(bytes.buffer, bytes.byteOffset + at, length);
}

function typeName(array: Column): TypeName {
  for (const [name, Type] of Object.entries(TYPES))
    if ((array as unknown) instanceof Type) return name as TypeName;
  throw new TypeError('An index holds an array of an unknown type');
}
