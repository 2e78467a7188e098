/** The vectors of one generation of a store: files of views, read when first asked for; what is damaged is left out, so that it is embedded again. */
import type { PackedVectors } from '../../indexes/vector/vector-index.ts';
import type { Unit } from '../../ranking/ranking.ts';
import type { StoredVectors } from '../../retrieval/vector-spaces.ts';
import { sha256 } from '../sha256.ts';
import { writeImmutable } from './commit.ts';
import type { Disk } from './disk.ts';
import { indexPieces, LITTLE_ENDIAN, type Packed } from './index-file.ts';
import type { Manifest, VectorFile } from './manifest.ts';
import { type OnWarning, readPacked } from './stored-indexes.ts';

const keyOf = (unit: Unit, space: string): string => `${unit} ${space}`;

/** Throws a `PortError` for a file that is missing or not as it was written. */
export function readVectors(disk: Disk, folder: string, file: VectorFile): PackedVectors {
  return readPacked(disk, folder, file, keyOf(file.unit, file.space)) as unknown as PackedVectors;
}

export function storedVectors(disk: Disk, folder: string, manifest: Manifest, warn: OnWarning): StoredVectors {
  const files = new Map(LITTLE_ENDIAN ? (manifest.vectors ?? []).map(file => [keyOf(file.unit, file.space), file]) : []);
  return (unit, space) => {
    const file = files.get(keyOf(unit, space));
    if (!file) return undefined;
    try {
      return readVectors(disk, folder, file);
    } catch (error) {
      files.delete(keyOf(unit, space));
      const message = `${(error as Error).message.split('. ')[0]}. Its texts are embedded again; \`multihop ingest --embedder ${space}\` writes it anew`;
      warn({ code: 'vectors-damaged', file: file.file, message });
      return undefined;
    }
  };
}

export async function writeVectors(
  disk: Disk,
  folder: string,
  generation: number,
  { unit, space }: Pick<VectorFile, 'unit' | 'space'>,
  packed: PackedVectors,
): Promise<VectorFile> {
  // A model's name may hold what a file's name may not.
  const kind = `vectors-${unit}-${sha256(space).slice(0, 12)}`;
  const pieces = indexPieces(keyOf(unit, space), packed as unknown as Packed);
  return { space, unit, ...(await writeImmutable(disk, folder, { kind, generation, extension: 'bin' }, pieces)) };
}
