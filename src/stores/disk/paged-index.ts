/**
 * Reads an index from its file as it is searched: postings term by term, of which those of the last
 * searches stay in memory.
 */
import { crc32 } from 'node:zlib';
import type { Postings } from '../../search/indexes/lexical/inverted.ts';
import { RecentlyUsed } from '../../search/indexes/recently-used.ts';
import {
  type ArrayEntry,
  type Column,
  checkEntry,
  columnOf,
  headLength,
  PAGE,
  PAGES,
  type Packed,
  pagesIn,
  parseHead,
  widthOf,
} from './index-file.ts';
import { damaged } from './store-errors.ts';

/**
 * The bytes of a file from one offset to another; fewer where it ends. `into`: where they may be
 * put, until the next read.
 */
export type Bytes = (from: number, to: number, into?: Uint8Array<ArrayBuffer>) => Uint8Array;

/** Reads elements of an array, by default all. */
type Part = (from?: number, to?: number) => Column;

/** Bytes of postings that stay in memory, and what a range of them takes beside its postings. */
const KEEP = 32 << 20;
const RANGE = 512;
/** Most bytes of a range that stays: larger ones are of many terms. */
const LARGEST = 1 << 20;
/** Most bytes that are read without memory of their own, which costs more than reading them. */
const ROOM = 1 << 16;

const bytesOf = ({ items, frequencies }: Postings): number =>
  items.byteLength + frequencies.byteLength + RANGE;

/** The postings that the last searches of all indexes of a store read. */
export class KeptPostings {
  /** Number of indexes. */
  private indexes = 0;
  readonly room: Uint8Array<ArrayBuffer> = new Uint8Array(ROOM);
  private readonly ranges = new RecentlyUsed<Postings, number>(Number.POSITIVE_INFINITY, {
    most: KEEP,
    bytes: bytesOf,
  });

  /** Returns `Inverted.postings` of an index. */
  of(items: Part, frequencies: Part): NonNullable<Packed['postings']> {
    const first = this.indexes++ * 2 ** 32;
    return (from, to) => {
      const known = this.ranges.get(first + from);
      if (known && known.items.length >= to - from) return known;
      const read = {
        base: from,
        items: items(from, to) as Uint16Array,
        frequencies: frequencies(from, to) as Uint8Array,
      };
      if (bytesOf(read) <= LARGEST) this.ranges.set(first + from, read);
      return read;
    };
  }
}

/**
 * Opens an index of a file of `size` bytes: a lexical one but for its postings, any other so that
 * each array is read when it is asked for. Returns undefined for a file without sums of pages, of
 * an earlier release. This and every later read throw `PortError('store-damaged')` if what they
 * read is not what was written.
 */
export function openIndex(
  path: string,
  key: string,
  bytes: Bytes,
  size: number,
  kept: KeptPostings,
): Packed | undefined {
  const head = bytes(0, headLength(path, bytes(0, Math.min(16, size)), size));
  const { header, arrays: entries } = parseHead(path, key, head);
  const sums = entries.find(({ name }) => name === PAGES);
  if (!sums) return undefined;
  const parts = partsOf(path, bytes, entries, pageSums(path, bytes, sums, size, head), kept.room);
  const { items, frequencies, ...others } = Object.fromEntries(parts);
  const names = Object.keys(others);
  if (items && frequencies) {
    const arrays = Object.fromEntries(names.map(name => [name, others[name]!()]));
    return { header, arrays, postings: kept.of(items, frequencies) };
  }
  const arrays = {};
  for (const name of names)
    Object.defineProperty(arrays, name, { enumerable: true, get: others[name]! });
  return { header, arrays };
}

/** Returns the sums of pages. Checks them, and the bytes before the arrays. */
function pageSums(
  path: string,
  bytes: Bytes,
  entry: ArrayEntry,
  size: number,
  head: Uint8Array,
): Uint32Array {
  checkEntry(path, entry, size);
  const read = new Uint8Array(bytes(entry.at, entry.at + entry.length * widthOf(entry)));
  const sums = columnOf(entry, read.buffer, 0, entry.length) as Uint32Array;
  if (crc32(read.subarray(0, -4)) !== sums.at(-1) || crc32(head) !== sums[0])
    throw damaged(path, 'its header does not match its checksum');
  return sums.subarray(1, -1);
}

function partsOf(
  path: string,
  bytes: Bytes,
  entries: readonly ArrayEntry[],
  sums: Uint32Array,
  room: Uint8Array<ArrayBuffer>,
): Map<string, Part> {
  const parts = new Map<string, Part>();
  let before = 0;
  for (const entry of entries) {
    const { name, at, length } = entry;
    if (name === PAGES) continue;
    const width = widthOf(entry);
    const own = sums.subarray(before, (before += pagesIn(length * width)));
    const read = (from: number, to: number): Uint8Array => bytes(at + from, at + to, room);
    parts.set(name, (from = 0, to = length) => {
      const exact = checkedBytes(read, own, length * width, from * width, to * width);
      if (!exact) throw damaged(path, `its array "${name}" does not match its checksum`);
      return columnOf(entry, exact.buffer, 0, to - from);
    });
  }
  return parts;
}

/** Returns bytes of an array in memory of their own; undefined if a page of them is damaged. */
function checkedBytes(
  bytes: Bytes,
  sums: Uint32Array,
  length: number,
  from: number,
  to: number,
): Uint8Array<ArrayBuffer> | undefined {
  const first = Math.floor(from / PAGE);
  const start = first * PAGE;
  const read = bytes(start, Math.min(length, pagesIn(to) * PAGE));
  for (let page = 0; page < pagesIn(read.length); page++)
    if (crc32(read.subarray(page * PAGE, (page + 1) * PAGE)) !== sums[first + page])
      return undefined;
  return read.length < to - start
    ? undefined
    : new Uint8Array(read.subarray(from - start, to - start));
}
