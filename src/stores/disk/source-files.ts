/**
 * Stores which files the documents of a store were read from, as JSON lines: what recognises
 * unchanged files, and what tells the documents of vanished ones. Each write of documents appends
 * lines in the same commit; an ingest that ends replaces them by one line a file.
 */
import { join } from 'node:path';
import { defined } from '../../core/defined.ts';
import { sha256 } from '../../platform/sha256.ts';
import { isUndamaged } from './checksums.ts';
import { nextGeneration, writeImmutable } from './commit.ts';
import type { Disk } from './disk.ts';
import type { Generation } from './generation.ts';
import type { Manifest, RootRecord, SourcesFile } from './manifest.ts';
import type { OnWarning } from './read-packed.ts';
import { damaged, readFailure } from './store-errors.ts';

/** The state in which a file was read. */
export interface FileState {
  readonly size: number;
  /** Milliseconds; 0 if it was too young to be told from a later change. */
  readonly modified: number;
  readonly sha256: string;
  /** The readers that read it: others may make other documents of it. */
  readonly by: string;
}

/** A place in a file that made no document, and why. */
export interface SkippedPlace {
  readonly line?: number;
  readonly reason: string;
}

/** A file, or a folder that was skipped. */
export interface SourceRecord {
  /** Name of its root. */
  readonly root: string;
  /** Path below the root, with `/`. */
  readonly path: string;
  /** Id of the document that the whole file makes. */
  readonly id: string;
  readonly ids: readonly string[];
  /** Ids of stored documents that the file held once and holds no more. */
  readonly left?: readonly string[];
  /** Missing unless the file was read to its end and its documents are stored. */
  readonly read?: FileState;
  readonly skipped?: readonly SkippedPlace[];
  /** Words of the document that the whole file makes, and all that the file shows. */
  readonly words?: { readonly kept: number; readonly visible: number };
  /** Remarks of the loader. */
  readonly notes?: readonly string[];
}

/** Replaces a record; adds its ids with `more`; or takes removed and replaced ids from all. */
export type SourceLine =
  | SourceRecord
  | (SourceRecord & { readonly more: true })
  | { readonly gone: readonly string[] };

/** Roots and lines that a write adds. */
export interface FileChange {
  readonly roots: readonly RootRecord[];
  readonly lines: readonly SourceLine[];
}

/** All files of a store. */
export interface FilesChange {
  readonly roots: readonly RootRecord[];
  readonly lines: readonly SourceRecord[];
}

export interface KnownFiles {
  readonly roots: readonly RootRecord[];
  /** By `fileKey`. */
  readonly records: ReadonlyMap<string, SourceRecord>;
}

/** Returns the key of a file: no name holds a NUL. */
export const fileKey = (root: string, path: string): string => `${root}\0${path}`;

/** Applies lines in their order. */
export function foldLines(lines: Iterable<SourceLine>): Map<string, SourceRecord> {
  const records = new Map<string, SourceRecord>();
  for (const line of lines) {
    if ('gone' in line) takeGone(records, new Set(line.gone));
    else if ('more' in line) {
      const { more: _, ...record } = line;
      const key = fileKey(line.root, line.path);
      const before = records.get(key) ?? record;
      const { read: __, ...rest } = before;
      records.set(key, { ...rest, ids: [...new Set([...before.ids, ...line.ids])] });
    } else records.set(fileKey(line.root, line.path), line);
  }
  return records;
}

function takeGone(records: Map<string, SourceRecord>, gone: ReadonlySet<string>): void {
  for (const [key, record] of records) {
    const stays = withStored(record, id => !gone.has(id));
    if (stays !== record) records.set(key, stays);
  }
}

/**
 * Returns a record with only these ids; one that loses any counts as not read, so that the next
 * ingest reads its file again.
 */
export function withStored(record: SourceRecord, isStored: (id: string) => boolean): SourceRecord {
  const { ids, left = [], read, ...rest } = record;
  if (ids.every(isStored) && left.every(isStored)) return record;
  const [kept, keptLeft] = [ids.filter(isStored), left.filter(isStored)];
  return defined({
    ...rest,
    ids: kept,
    left: keptLeft.length > 0 ? keptLeft : undefined,
    read: kept.length === ids.length ? read : undefined,
  });
}

/**
 * Reads all lines, or with `of` the records of these documents; damaged ones give a warning and no
 * records: all files are then read again.
 */
export async function readSources(
  disk: Disk,
  folder: string,
  { roots = [], sources = [] }: Manifest,
  warn: OnWarning = () => {},
  of?: readonly string[],
): Promise<KnownFiles> {
  const lines: SourceLine[] = [];
  for (const file of sources)
    try {
      for (const line of linesOf((await readBytes(disk, folder, file)).toString(), of))
        if (line !== '') lines.push(JSON.parse(line) as SourceLine);
    } catch (error) {
      const hint = 'The next ingest reads all files again and writes it anew';
      const message = `${(error as Error).message.split('. ')[0]}. ${hint}`;
      const remedy = { id: 'repair-store', name: folder } as const;
      warn({ code: 'sources-damaged', file: file.file, message, hint, remedy });
      return { roots, records: new Map() };
    }
  return { roots, records: foldLines(lines) };
}

/** Returns all lines, or those that may tell of these documents: parsing all takes 30 ms. */
function linesOf(text: string, of: readonly string[] | undefined): string[] {
  if (of === undefined) return text.split('\n');
  const starts = new Set<number>();
  for (const part of ['{"gone":', ...of.map(id => JSON.stringify(id))])
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1))
      starts.add(text.lastIndexOf('\n', at) + 1);
  return [...starts]
    .sort((a, b) => a - b)
    .map(start => text.slice(start, (text.indexOf('\n', start) + 1 || text.length + 1) - 1));
}

/** Returns the bytes of a file of lines. Throws a `PortError` if it is missing or damaged. */
export async function readBytes(disk: Disk, folder: string, file: SourcesFile): Promise<Buffer> {
  const path = join(folder, file.file);
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await disk.read(path, file.bytes);
  } catch (error) {
    throw readFailure(path, error);
  }
  if (!isUndamaged(bytes, file)) throw damaged(path, 'its content does not match its checksum');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Writes the lines of a write of documents, whose generation is that of `manifest`, and returns
 * what the manifest names. Small files are merged like the digits of a binary counter, so that many
 * writes leave few files.
 */
export async function sourcesAfterWrite(
  disk: Disk,
  folder: string,
  manifest: Manifest,
  gone: ReadonlySet<string>,
  files: FileChange = { roots: [], lines: [] },
): Promise<Pick<Manifest, 'roots' | 'sources'>> {
  const kept = [...(manifest.sources ?? [])];
  const lines: SourceLine[] = [...files.lines];
  if (gone.size > 0 && kept.length > 0) lines.unshift({ gone: [...gone] });
  if (lines.length === 0) return {};
  const pieces = piecesOf(lines);
  let count = lines.length;
  while (kept.length > 0 && kept.at(-1)!.lines <= count)
    try {
      pieces.unshift(await readBytes(disk, folder, kept.at(-1)!));
      count += kept.pop()!.lines;
    } catch {
      break;
    }
  const written = await writeLines(disk, folder, manifest.generation, pieces, count);
  return { ...rootsAfter(manifest.roots, files.roots), sources: [...kept, written] };
}

/** Returns all files as an ingest leaves them, from those that the store knows. */
export type ChangeFiles = (known: KnownFiles) => FilesChange;

/** Writes one line a file; returns undefined if nothing changes. */
export async function withSources(
  disk: Disk,
  folder: string,
  current: Generation,
  change: ChangeFiles,
  options: { readonly isStored: (id: string) => boolean; readonly onWarning: OnWarning },
): Promise<Generation | undefined> {
  const { manifest } = current;
  const known = await readSources(disk, folder, manifest, options.onWarning);
  const { roots, lines: changed } = change(known);
  const lines = changed.map(record => withStored(record, options.isStored));
  const before = piecesOf([...known.records.values()]);
  const pieces = piecesOf(lines);
  const isSame =
    (manifest.sources?.length ?? 0) <= 1 &&
    JSON.stringify(rootsAfter(manifest.roots, roots).roots) === JSON.stringify(manifest.roots) &&
    sha256(...before) === sha256(...pieces);
  if (isSame) return undefined;
  const generation = await nextGeneration(disk, folder, manifest);
  const sources = [await writeLines(disk, folder, generation, pieces, lines.length)];
  const next = { ...manifest, generation, ...rootsAfter(manifest.roots, roots), sources };
  return { ...current, manifest: next };
}

function rootsAfter(
  before: readonly RootRecord[] = [],
  added: readonly RootRecord[],
): Pick<Manifest, 'roots'> {
  // A folder that was renamed keeps its root, at another place.
  const moved = before.map(root => added.find(({ name }) => name === root.name) ?? root);
  const roots = [...moved, ...added.filter(({ name }) => !before.some(b => b.name === name))];
  return roots.length > 0 ? { roots } : {};
}

const piecesOf = (lines: readonly SourceLine[]): Uint8Array[] =>
  lines.map(line => Buffer.from(`${JSON.stringify(line)}\n`));

async function writeLines(
  disk: Disk,
  folder: string,
  generation: number,
  pieces: readonly Uint8Array[],
  lines: number,
): Promise<SourcesFile> {
  const name = { kind: 'sources', generation, extension: 'jsonl' };
  return { ...(await writeImmutable(disk, folder, name, pieces)), lines };
}
