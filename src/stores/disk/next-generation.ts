/**
 * Writes the files of a store's next generation, which takes effect when its manifest is committed.
 * Requires the lock.
 */
import { join } from 'node:path';
import type { Document } from '../../core/corpus/document.ts';
import { defined } from '../../core/defined.ts';
import type { Pause } from '../../platform/clock.ts';
import { isClaimsKey } from '../../search/claims/stored-claims.ts';
import type { BuiltIndexes } from './build-indexes.ts';
import { nextGeneration, writeImmutable } from './commit.ts';
import { derivedAfterWrite, type MadeDerived, readDerived, writeDerived } from './derived-files.ts';
import type { Disk } from './disk.ts';
import { packTable, TABLE_KEY } from './document-table.ts';
import {
  type Generation,
  nextSegments,
  readDocuments,
  readsParts,
  type Segment,
  writtenDocuments,
} from './generation.ts';
import { indexPieces } from './index-file.ts';
import { isReplaced } from './kept-graph.ts';
import { type DraftDocument, draftOf, linesOf, segmentPieces } from './late-documents.ts';
import type { DerivedFile, IndexFile, Manifest } from './manifest.ts';
import { linesIn } from './segment.ts';
import { type FileChange, sourcesAfterWrite } from './source-files.ts';

export interface DocumentChange {
  readonly put: readonly Document[];
  readonly gone: ReadonlySet<string>;
  /** The files that the documents were read from. */
  readonly files?: FileChange | undefined;
  /** Called in the middle of long work; what it throws leaves the store as it is. */
  readonly pause: Pause;
}

/**
 * Writes one new file for written documents, and rewrites files without removed ones. Unchanged
 * files keep their lexical indexes; derived indexes are updated if that needs no model.
 */
export async function withDocuments(
  disk: Disk,
  folder: string,
  { manifest, segments }: Generation,
  { put, gone, files, pause }: DocumentChange,
): Promise<Generation> {
  const generation = await nextGeneration(disk, folder, manifest);
  const { kept, written } = nextSegments(segments, put, gone);
  const next = [...kept];
  if (written.length > 0) {
    const name = { kind: 'documents', generation, extension: 'jsonl' };
    const drafts = await draftsOf(put, pause);
    const merged = written.slice(put.length);
    const pieces = [...drafts.map(({ line }) => line), ...(await segmentPieces(merged, pause))];
    const file = await writeImmutable(disk, folder, name, pieces);
    const inMemory = [...drafts.map(draft => draft.kept()), ...merged];
    const documents = readsParts(disk, [...next.map(segment => segment.file), file])
      ? writtenDocuments(disk, join(folder, file.file), file, inMemory, pieces)
      : inMemory;
    next.push({ file: { ...file, documents: written.length }, documents });
  }
  const documents = next.reduce((sum, segment) => sum + segment.documents.length, 0);
  const { derived: _, ...rest } = manifest;
  const derived =
    documents === 0
      ? []
      : await derivedAfterWrite(disk, folder, generation, manifest, { put, gone });
  const stored = defined({
    segments: next.map(({ file }) => file),
    derived: derived.length > 0 ? derived : undefined,
  });
  const sources = await sourcesAfterWrite(disk, folder, { ...manifest, generation }, gone, files);
  return { manifest: { ...rest, generation, documents, ...stored, ...sources }, segments: next };
}

async function draftsOf(documents: readonly Document[], pause: Pause): Promise<DraftDocument[]> {
  const drafts: DraftDocument[] = [];
  for (const document of documents) {
    drafts.push(draftOf(document));
    await pause();
  }
  return drafts;
}

/**
 * Writes the indexes of unchanged documents, by the checksum of their file, beside those of other
 * files.
 */
export async function withIndexes(
  disk: Disk,
  folder: string,
  current: Generation,
  built: ReadonlyMap<string, BuiltIndexes>,
  pause: Pause,
): Promise<Generation> {
  const generation = await nextGeneration(disk, folder, current.manifest);
  const segments: Segment[] = [];
  for (const segment of current.segments) {
    const made = built.get(segment.file.sha256);
    if (!made) {
      segments.push(segment);
      continue;
    }
    const indexes: IndexFile[] = [];
    const lines =
      linesOf(segment.documents) ??
      linesIn(await readDocuments(disk, join(folder, segment.file.file), segment.file));
    const table = packTable(segment.documents, lines, made.items);
    for (const [key, index] of [...made.lexical, [TABLE_KEY, table] as const]) {
      await pause();
      const name = { kind: `index-${key}`, generation, extension: 'bin' };
      const pieces = await indexPieces(key, index, pause);
      indexes.push({ key, ...(await writeImmutable(disk, folder, name, pieces)) });
    }
    segments.push({ ...segment, table, file: { ...segment.file, indexes } });
  }
  const { derived, ...rest } = current.manifest;
  const sound = (derived ?? []).filter(file => isSound(disk, folder, file));
  const files = defined({
    segments: segments.map(({ file }) => file),
    derived: sound.length > 0 ? sound : undefined,
  });
  return { manifest: { ...rest, generation, ...files }, segments };
}

/** Writes these derived indexes beside the existing sound ones. */
export async function withDerived(
  disk: Disk,
  folder: string,
  current: Generation,
  records: Pick<Manifest, 'spaces' | 'graph' | 'claims'>,
  made: readonly MadeDerived[],
): Promise<Generation> {
  const generation = await nextGeneration(disk, folder, current.manifest);
  const isMade = (file: DerivedFile): boolean => made.some(({ key }) => key === file.key);
  const { graph, claims } = records;
  const isOld = ({ key }: DerivedFile): boolean =>
    (graph && isReplaced(key, graph)) || (claims !== undefined && isClaimsKey(key));
  const derived = (current.manifest.derived ?? []).filter(
    file => !isMade(file) && !isOld(file) && isSound(disk, folder, file),
  );
  for (const index of made) derived.push(await writeDerived(disk, folder, generation, index));
  return { ...current, manifest: { ...current.manifest, generation, ...records, derived } };
}

function isSound(disk: Disk, folder: string, file: DerivedFile): boolean {
  try {
    readDerived(disk, folder, file);
    return true;
  } catch {
    return false;
  }
}
