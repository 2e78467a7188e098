/**
 * The vectors that stay when documents are removed: those of the other documents, byte for byte as
 * if the removed ones had never been there.
 */
import type { PackedLsa } from '../../indexes/lsa/stored.ts';
import { type PackedVectors, VectorIndex } from '../../indexes/vector/vector-index.ts';
import { EmbeddedEngine } from '../../retrieval/embedded-engine.ts';
import { isFittedSpace } from '../../retrieval/space-names.ts';
import type { Disk } from './disk.ts';
import type { Generation } from './generation.ts';
import type { VectorFile } from './manifest.ts';
import { readVectors } from './stored-vectors.ts';

export interface MadeVectors extends Pick<VectorFile, 'unit' | 'space'> {
  readonly packed: PackedVectors | PackedLsa;
}

/**
 * Of embedders only: a fitted space is another one without a document. Damaged files are left out.
 */
export async function keptVectors(
  disk: Disk,
  folder: string,
  { manifest, segments }: Generation,
  gone: ReadonlySet<string>,
): Promise<MadeVectors[]> {
  const files = (manifest.vectors ?? []).filter(({ space }) => !isFittedSpace(space));
  if (files.length === 0) return [];
  const documents = segments.flatMap(segment => segment.documents);
  const before = new EmbeddedEngine({ documents, chunker: manifest.chunker }).current;
  const made: MadeVectors[] = [];
  for (const file of files) {
    const { items } = before.itemsOf(file.unit);
    const stored = soundVectors(disk, folder, file);
    if (stored?.header.size !== items.length) continue;
    const index = VectorIndex.unpack(stored);
    const kept = [...items.keys()]
      .filter(item => !gone.has(items[item]!.documentId))
      .map(item => index.vector(item));
    made.push({
      unit: file.unit,
      space: file.space,
      packed: VectorIndex.build(kept, index.dimensions).pack(),
    });
  }
  return made;
}

function soundVectors(disk: Disk, folder: string, file: VectorFile): PackedVectors | undefined {
  try {
    return readVectors(disk, folder, file);
  } catch {
    return undefined;
  }
}
