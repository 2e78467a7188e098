/**
 * The next generation of a store: its files are written here, and it counts once its manifest is
 * committed. Only under the lock.
 */
import type { Document } from '../../corpus/document.ts';
import type { Analysis } from '../../indexes/lexical/lexical-index.ts';
import type { Unit } from '../../ranking/ranking.ts';
import { EmbeddedEngine } from '../../retrieval/embedded-engine.ts';
import { indexKey } from '../../retrieval/segment.ts';
import { writeImmutable } from './commit.ts';
import type { Disk } from './disk.ts';
import { type Generation, nextSegments } from './generation.ts';
import { indexPieces, type Packed } from './index-file.ts';
import { keptVectors, type MadeVectors } from './kept-vectors.ts';
import type { IndexFile, Manifest, VectorFile } from './manifest.ts';
import { segmentPieces } from './segment.ts';
import { readVectors, writeVectors } from './stored-vectors.ts';

/**
 * One new file for what is put, files without what is gone, and no index, for each is of other
 * documents. What is only less keeps its vectors.
 */
export async function withDocuments(
  disk: Disk,
  folder: string,
  { manifest, segments }: Generation,
  put: readonly Document[],
  gone: ReadonlySet<string>,
): Promise<Generation> {
  const generation = manifest.generation + 1;
  const { kept, written } = nextSegments(segments, put, gone);
  const next = [...kept];
  if (written.length > 0) {
    const name = { kind: 'documents', generation, extension: 'jsonl' };
    const file = await writeImmutable(disk, folder, name, segmentPieces(written));
    next.push({ file: { ...file, documents: written.length }, documents: written });
  }
  const documents = next.reduce((sum, segment) => sum + segment.documents.length, 0);
  const { vectors: _, ...rest } = manifest;
  const vectors: VectorFile[] = [];
  if (put.length === 0)
    for (const { packed, ...of } of await keptVectors(disk, folder, { manifest, segments }, gone))
      vectors.push(await writeVectors(disk, folder, generation, of, packed));
  const files = {
    segments: next.map(({ file }) => file),
    indexes: [],
    ...(vectors.length > 0 ? { vectors } : {}),
  };
  return { manifest: { ...rest, generation, documents, ...files }, segments: next };
}

/**
 * The indexes that are written when a store is closed after a write; any other is built in memory
 * when it is first asked for.
 */
const WRITTEN_INDEXES: readonly (readonly [Unit, Analysis])[] = [
  ['document', 'plain'],
  ['document', 's1'],
  ['passage', 'plain'],
];

export async function builtIndexes({
  manifest,
  segments,
}: Generation): Promise<ReadonlyMap<string, Packed>> {
  const documents = segments.flatMap(segment => segment.documents);
  const fresh = new EmbeddedEngine({ documents, chunker: manifest.chunker }).current;
  return new Map(
    WRITTEN_INDEXES.map(([unit, analysis]) => [
      indexKey(unit, analysis),
      fresh.packedIndex(unit, analysis),
    ]),
  );
}

/** The same documents with these indexes. */
export async function withIndexes(
  disk: Disk,
  folder: string,
  current: Generation,
  packed: ReadonlyMap<string, Packed>,
): Promise<Generation> {
  const generation = current.manifest.generation + 1;
  const indexes: IndexFile[] = [];
  for (const [key, index] of packed) {
    const name = { kind: `index-${key}`, generation, extension: 'bin' };
    indexes.push({ key, ...(await writeImmutable(disk, folder, name, indexPieces(key, index))) });
  }
  const { vectors, ...rest } = current.manifest;
  const sound = (vectors ?? []).filter(file => isSound(disk, folder, file));
  return {
    ...current,
    manifest: { ...rest, generation, indexes, ...(sound.length > 0 ? { vectors: sound } : {}) },
  };
}

/** The same documents with these vectors, beside the sound ones that are there. */
export async function withVectors(
  disk: Disk,
  folder: string,
  current: Generation,
  records: Pick<Manifest, 'spaces' | 'fitted'>,
  made: readonly MadeVectors[],
): Promise<Generation> {
  const generation = current.manifest.generation + 1;
  const isMade = (file: VectorFile): boolean =>
    made.some(({ unit, space }) => unit === file.unit && space === file.space);
  const vectors = (current.manifest.vectors ?? []).filter(
    file => !isMade(file) && isSound(disk, folder, file),
  );
  for (const { packed, ...of } of made)
    vectors.push(await writeVectors(disk, folder, generation, of, packed));
  return { ...current, manifest: { ...current.manifest, generation, ...records, vectors } };
}

function isSound(disk: Disk, folder: string, file: VectorFile): boolean {
  try {
    readVectors(disk, folder, file);
    return true;
  } catch {
    return false;
  }
}
