/**
 * Stores where each document of a file lies and what it is cut into, so that opening a store parses
 * no document and a search parses those of its hits alone.
 */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Document } from '../../core/corpus/document.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import type { PackedItems } from '../../search/corpus/stored-items.ts';
import { packText, unpackText } from '../../search/derived/derived-index.ts';
import type { Disk } from './disk.ts';
import { LITTLE_ENDIAN, type Packed } from './index-file.ts';
import { type Head, headOf, LateLines, lateDocument } from './late-documents.ts';
import type { SegmentFile } from './manifest.ts';
import { type Bytes, KeptPostings } from './paged-index.ts';
import { damageWarning, type OnWarning, readPacked } from './read-packed.ts';
import { damaged } from './store-errors.ts';

export const TABLE_KEY = 'table';

/** Raised whenever other releases misread the table, or cut sentences or passages otherwise. */
export const TABLE_FORMAT = 'multihop-table-1';

export const UNITS: readonly Unit[] = ['document', 'passage', 'sentence'];

interface PackedTable {
  readonly header: { readonly format: string; readonly documents: number };
  /**
   * `heads`: JSON of `[id, title, metadata, 1 if it has an outline]` of each document, in the order
   * of the file. `lines`: ends of their lines, in bytes. `sums`: CRC-32 of their lines; missing in
   * tables of earlier releases. `UNIT-ARRAY`: see `PackedItems`.
   */
  readonly arrays: Packed['arrays'] & Lines;
}

interface Lines {
  readonly lines: Float64Array;
  readonly sums?: Uint32Array;
}

/** Names the packed items of a unit as the table holds them. */
export const tableItems = (items: PackedItems, unit: Unit): Packed['arrays'] =>
  Object.fromEntries(Object.entries(items).map(([name, array]) => [`${unit}-${name}`, array]));

/** Packs the table of a file: its documents in their order, their lines and packed items. */
export function packTable(
  documents: readonly Document[],
  written: readonly Uint8Array[],
  items: Packed['arrays'],
): Packed {
  const heads = packText(documents.map(headOf));
  const packed = {
    header: { format: TABLE_FORMAT, documents: documents.length },
    arrays: { heads, ...lineTable(written), ...items },
  };
  return packed as unknown as Packed;
}

/** Returns where lines end, and their checksums. */
export function lineTable(written: readonly Uint8Array[]): Required<Lines> {
  const lines = new Float64Array(written.length);
  for (const [at, { length }] of written.entries()) lines[at] = (lines[at - 1] ?? 0) + length;
  return { lines, sums: Uint32Array.from(written, line => crc32(line)) };
}

/** Returns the packed items of a unit. */
export function itemsOfTable({ arrays }: Packed, unit: Unit): PackedItems {
  const of = (name: string): Uint32Array => arrays[`${unit}-${name}`] as Uint32Array;
  const [firsts, counts] = [of('firsts'), of('counts')];
  const places = firsts && counts ? { firsts, counts } : {};
  return { documents: of('documents'), starts: of('starts'), ends: of('ends'), ...places };
}

/**
 * Reads the table of a file, by need if it `isPaged`. Returns undefined if there is none, or one of
 * another release; warns of a damaged one.
 */
export function readTable(
  disk: Disk,
  folder: string,
  { indexes = [], documents, bytes }: SegmentFile,
  { warn, isPaged }: { readonly warn: OnWarning; readonly isPaged: boolean },
): Packed | undefined {
  const file = LITTLE_ENDIAN ? indexes.find(({ key }) => key === TABLE_KEY) : undefined;
  if (!file) return undefined;
  try {
    const kept = isPaged ? new KeptPostings() : undefined;
    const packed = readPacked(disk, folder, file, file.key, kept);
    const { header } = packed as unknown as PackedTable;
    if (header.format !== TABLE_FORMAT) return undefined;
    // Reads all that documents are made of, so that its damage shows here.
    const { heads, lines, sums } = (packed as unknown as PackedTable).arrays;
    const isOf = lines.length === documents && (lines.at(-1) ?? 0) === bytes;
    if (isOf && heads && (sums?.length ?? documents) === documents) return packed;
    throw damaged(join(folder, file.file), `it is the table of ${header.documents} documents`);
  } catch (error) {
    warn(damageWarning('index-damaged', { folder, file: file.file }, error));
    return undefined;
  }
}

/** Returns true if a table has checksums of single documents, so that few of them can be read. */
export const hasSums = (table: Packed): boolean => 'sums' in table.arrays;

/**
 * Returns the documents of a file; text and outline of each are parsed at their first use, which
 * throws `PortError('store-damaged')` if its line is not the one that was written.
 */
export function tableDocuments(
  table: Packed,
  path: string,
  bytes: Bytes,
  most?: number,
): Document[] {
  const { arrays } = table as unknown as PackedTable;
  const heads = unpackText(arrays['heads'] as Uint8Array, 'heads') as Head[];
  return lineDocuments(heads, arrays, path, bytes, most);
}

/** Returns documents like `tableDocuments`, by their heads. */
export function lineDocuments(
  heads: readonly Head[],
  { lines, sums }: Lines,
  path: string,
  bytes: Bytes,
  most?: number,
): Document[] {
  const read = (at: number): Uint8Array => {
    const line = bytes(lines[at - 1] ?? 0, lines[at]!);
    if (sums && crc32(line) !== sums[at])
      throw damaged(path, `line ${at + 1} does not match its checksum`);
    return line;
  };
  const late = new LateLines(path, read, most);
  return heads.map((head, at) => lateDocument(head, late, at));
}
