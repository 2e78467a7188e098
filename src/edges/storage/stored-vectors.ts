/**
 * The vectors of one generation of a store: files of views, read when first asked for; what is
 * damaged is left out, so that it is embedded again.
 */
import type { PackedLsa } from '../../indexes/lsa/stored.ts';
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

/** The same for a fitted space. */
function readFitted(disk: Disk, folder: string, file: VectorFile): PackedLsa {
  return readPacked(disk, folder, file, keyOf(file.unit, file.space)) as unknown as PackedLsa;
}

export interface StoredVectorsOptions {
  readonly onWarning: OnWarning;
  /** A space is about to be fitted, for it is not stored. */
  readonly onFitting?: ((unit: Unit, space: string) => void) | undefined;
}

export function storedVectors(
  disk: Disk,
  folder: string,
  manifest: Manifest,
  { onWarning, onFitting }: StoredVectorsOptions,
): StoredVectors {
  const files = new Map(
    LITTLE_ENDIAN ? (manifest.vectors ?? []).map(file => [keyOf(file.unit, file.space), file]) : [],
  );
  const read = <T>(
    unit: Unit,
    space: string,
    how: (disk: Disk, folder: string, file: VectorFile) => T,
    then: string,
  ): T | undefined => {
    const file = files.get(keyOf(unit, space));
    if (!file) return undefined;
    try {
      return how(disk, folder, file);
    } catch (error) {
      files.delete(keyOf(unit, space));
      const message = `${(error as Error).message.split('. ')[0]}. ${then}; \`multihop verify --store ${folder} --repair\` writes it anew`;
      onWarning({ code: 'vectors-damaged', file: file.file, message });
      return undefined;
    }
  };
  return {
    embedded: (unit, space) => read(unit, space, readVectors, 'Its texts are embedded again'),
    fitted(unit, space) {
      const stored = read(unit, space, readFitted, 'It is fitted again');
      if (!stored && manifest.documents > 0) onFitting?.(unit, space);
      return stored;
    },
  };
}

/** What a vector file holds, as the pieces of which its checksum is. */
export function vectorPieces(
  { unit, space }: Pick<VectorFile, 'unit' | 'space'>,
  packed: PackedVectors | PackedLsa,
): Uint8Array[] {
  return indexPieces(keyOf(unit, space), packed as unknown as Packed);
}

export async function writeVectors(
  disk: Disk,
  folder: string,
  generation: number,
  { unit, space }: Pick<VectorFile, 'unit' | 'space'>,
  packed: PackedVectors | PackedLsa,
): Promise<VectorFile> {
  // A model's name may hold what a file's name may not.
  const kind = `vectors-${unit}-${sha256(space).slice(0, 12)}`;
  const pieces = vectorPieces({ unit, space }, packed);
  return {
    space,
    unit,
    ...(await writeImmutable(disk, folder, { kind, generation, extension: 'bin' }, pieces)),
  };
}
