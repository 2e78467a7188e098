/**
 * Reads one generation of a store into memory: its manifest, and the documents of each of its
 * files.
 */
import { join } from 'node:path';
import type { Document } from '../../core/corpus/document.ts';
import { errno } from '../../platform/errno.ts';
import { compareIds } from '../../search/corpus/items.ts';
import { isUndamaged } from './checksums.ts';
import type { Disk } from './disk.ts';
import { hasSums, lineDocuments, lineTable, readTable, tableDocuments } from './document-table.ts';
import type { Packed } from './index-file.ts';
import { headOf } from './late-documents.ts';
import { MANIFEST_FILE, type Manifest, type SegmentFile, type StoredFile } from './manifest.ts';
import { parseManifest } from './manifest-file.ts';
import { type OnWarning, partsOf, type StoreWarning } from './read-packed.ts';
import { parseSegment } from './segment.ts';
import { checkSize, damaged, readFailure } from './store-errors.ts';

/** A file of documents and its contents. */
export interface Segment {
  readonly file: SegmentFile;
  readonly documents: readonly Document[];
  /** See `document-table.ts`; missing if it has to be computed. */
  readonly table?: Packed | undefined;
}

export interface Generation {
  readonly manifest: Manifest;
  readonly segments: readonly Segment[];
}

const TRIES = 20;
/** Most bytes of a manifest: files are merged, so that even large stores name few. */
const MANIFEST_BYTES = 16 << 20;

/** Reads the manifest; returns undefined if the folder has no `store.json`. */
export const readManifest = (disk: Disk, folder: string): Promise<Manifest | undefined> =>
  manifestReader(disk, folder)();

/** Returns a function that reads the manifest, and parses it only if its bytes have changed. */
export function manifestReader(disk: Disk, folder: string): () => Promise<Manifest | undefined> {
  const path = join(folder, MANIFEST_FILE);
  let last: { readonly bytes: Uint8Array; readonly manifest: Manifest } | undefined;
  return async () => {
    try {
      const bytes = await disk.read(path, MANIFEST_BYTES);
      if (last === undefined || !isSame(bytes, last.bytes))
        last = { bytes, manifest: parseManifest(path, bytes) };
      return last.manifest;
    } catch (error) {
      if (errno(error) === 'ENOENT' || errno(error) === 'ENOTDIR') return undefined;
      throw readFailure(path, error);
    }
  };
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/**
 * Reads the documents of a generation. Files in `known` are not read again, since a file never
 * changes.
 */
export async function readGeneration(
  disk: Disk,
  folder: string,
  first: Manifest,
  {
    known,
    warn = () => {},
  }: { readonly known?: Generation; readonly warn?: OnWarning | undefined } = {},
): Promise<Generation> {
  const loaded = new Map((known?.segments ?? []).map(segment => [segment.file.sha256, segment]));
  let manifest = first;
  for (let attempt = 1; ; attempt++) {
    const warnings: StoreWarning[] = [];
    const note: OnWarning = warning => warnings.push(warning);
    try {
      const segments: Segment[] = [];
      const isLarge = readsParts(disk, manifest.segments);
      const isPaged = readsPages(disk, manifest.segments);
      for (const file of manifest.segments) {
        const known = loaded.get(file.sha256);
        const segment = await readSegment(disk, folder, file, known, {
          warn: note,
          isLarge,
          isPaged,
        });
        loaded.set(file.sha256, segment);
        segments.push(segment);
      }
      const generation = { manifest, segments: distinct(folder, manifest, segments) };
      for (const warning of warnings) warn(warning);
      return generation;
    } catch (error) {
      // A writer may have replaced the generation, and its files, during the read: what is missing
      // then is no damage to warn of.
      const now = await readManifest(disk, folder);
      if (!now || now.generation === manifest.generation || attempt === TRIES) throw error;
      manifest = now;
    }
  }
}

async function readSegment(
  disk: Disk,
  folder: string,
  file: SegmentFile,
  known: Segment | undefined,
  options: { readonly warn: OnWarning; readonly isLarge: boolean; readonly isPaged: boolean },
): Promise<Segment> {
  const table = known?.table ?? readTable(disk, folder, file, options);
  if (known) return { file, documents: known.documents, table };
  const path = join(folder, file.file);
  const documents = await documentsOf(disk, path, file, table, options.isLarge);
  if (documents.length !== file.documents)
    throw damaged(path, `it has ${documents.length} documents, not ${file.documents}`);
  return { file, documents, table };
}

/** Returns true if the disk reads parts of the files of so many documents. */
export const readsParts = (
  { open, partsFrom = 0 }: Disk,
  files: readonly Pick<SegmentFile, 'bytes'>[],
): boolean => open !== undefined && bytesOf(files) >= partsFrom;

/** Returns true if the disk reads parts of the indexes of so many documents. */
export const readsPages = (
  { open, pagesFrom = Number.POSITIVE_INFINITY }: Disk,
  files: readonly Pick<SegmentFile, 'bytes'>[],
): boolean => open !== undefined && bytesOf(files) >= pagesFrom;

const bytesOf = (files: readonly Pick<SegmentFile, 'bytes'>[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Returns the documents of a file, which is read whole unless its store `isLarge`. */
async function documentsOf(
  disk: Disk,
  path: string,
  file: SegmentFile,
  table: Packed | undefined,
  isLarge: boolean,
): Promise<Document[]> {
  if (table && isLarge && hasSums(table))
    return tableDocuments(table, path, partsOf(disk, path, file));
  const bytes = await readDocuments(disk, path, file);
  return table
    ? tableDocuments(table, path, (from, to) => bytes.subarray(from, to))
    : parseSegment(path, bytes);
}

/**
 * Returns written documents with their texts read from their file. `lines`: those that were
 * written.
 */
export function writtenDocuments(
  disk: Disk,
  path: string,
  file: StoredFile,
  documents: readonly Document[],
  lines: readonly Uint8Array[],
): Document[] {
  return lineDocuments(documents.map(headOf), lineTable(lines), path, partsOf(disk, path, file));
}

/** Reads a file of documents. Throws `PortError('store-damaged')` unless it is the one written. */
export async function readDocuments(
  disk: Disk,
  path: string,
  file: StoredFile,
): Promise<Uint8Array<ArrayBuffer>> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await disk.read(path, file.bytes);
  } catch (error) {
    throw readFailure(path, error);
  }
  checkSize(path, bytes.length, file.bytes);
  if (!isUndamaged(bytes, file)) throw damaged(path, 'its content does not match its checksum');
  return bytes;
}

/**
 * Checks that no id occurs in two files, and that the files hold as many documents as the manifest
 * says.
 */
function distinct(
  folder: string,
  manifest: Manifest,
  segments: readonly Segment[],
): readonly Segment[] {
  // A sort merges ascending lists in a fourth of the time that a set of a million ids takes.
  const all = segments.flatMap(({ documents }) => documents).sort(compareIds);
  const held = all.filter(({ id }, at) => id !== all[at - 1]?.id).length;
  if (held !== all.length || held !== manifest.documents)
    throw damaged(
      join(folder, MANIFEST_FILE),
      `it names ${manifest.documents} documents, its files hold ${held}`,
    );
  return segments;
}

/** Largest file that is merged with its neighbours, so that no write copies much. */
const MERGE_BYTES = 64 << 20;

export interface NextSegments {
  /** Files that do not change. */
  readonly kept: readonly Segment[];
  /** Documents of the one new file; empty if there is nothing to write. */
  readonly written: readonly Document[];
}

/**
 * Assigns documents to files: new and changed ones to one new file; a file with a removed or
 * replaced document (`gone`) is rewritten without it, so that its text leaves the disk. Small files
 * are merged like the digits of a binary counter: n documents written one by one are copied O(log
 * n) times and lie in O(log n) files.
 */
export function nextSegments(
  segments: readonly Segment[],
  put: readonly Document[],
  gone: ReadonlySet<string>,
): NextSegments {
  const kept: Segment[] = [];
  const written: Document[] = [...put];
  for (const segment of segments) {
    const rest =
      gone.size === 0 ? segment.documents : segment.documents.filter(({ id }) => !gone.has(id));
    if (rest.length === segment.documents.length) kept.push(segment);
    else for (const document of rest) written.push(document);
  }
  if (written.length === 0) return { kept, written };
  while (
    kept.length > 0 &&
    kept.at(-1)!.documents.length <= written.length &&
    kept.at(-1)!.file.bytes <= MERGE_BYTES
  ) {
    for (const document of kept.pop()!.documents) written.push(document);
  }
  return { kept, written };
}
