/**
 * Reads and writes the derived indexes of a store: read at first use, kept up to date if that needs
 * no model, omitted if damaged so that they are rebuilt.
 */
import type { Document } from '../../core/corpus/document.ts';
import { defined } from '../../core/defined.ts';
import { pausesFor } from '../../platform/clock.ts';
import { sha256 } from '../../platform/sha256.ts';
import {
  type DerivedIndex,
  type PackedDerived,
  packDerived,
  unpackDerived,
} from '../../search/derived/derived-index.ts';
import type { StoredDerived } from '../../search/derived/derived-indexes.ts';
import { derivedByKey } from '../../search/derived/derived-kinds.ts';
import { writeImmutable } from './commit.ts';
import type { Disk } from './disk.ts';
import { indexPieces, LITTLE_ENDIAN, type Packed } from './index-file.ts';
import { type DerivedFile, isCurrent, type Manifest } from './manifest.ts';
import { damageWarning, type OnWarning, readPacked } from './read-packed.ts';

/** Throws a `PortError` for a file that is missing or damaged. */
export function readDerived(disk: Disk, folder: string, file: DerivedFile): PackedDerived {
  return readPacked(disk, folder, file, file.key) as unknown as PackedDerived;
}

export interface StoredDerivedOptions {
  readonly onWarning: OnWarning;
  /** Called before an index is built because it is not stored. */
  readonly onBuilding?: ((key: string) => void) | undefined;
}

export function storedDerived(
  disk: Disk,
  folder: string,
  manifest: Manifest,
  { onWarning, onBuilding }: StoredDerivedOptions,
): StoredDerived {
  const { derived = [] } = manifest;
  const files = new Map(LITTLE_ENDIAN ? derived.map(file => [file.key, file]) : []);
  const damaged = (key: string, error: unknown): void => {
    const { file } = files.get(key)!;
    files.delete(key);
    onWarning(damageWarning('derived-damaged', { folder, file }, error));
  };
  return defined({
    read(key) {
      const file = files.get(key);
      try {
        return file && readDerived(disk, folder, file);
      } catch (error) {
        damaged(key, error);
        return undefined;
      }
    },
    isCurrent: key => isCurrent(manifest, key),
    damaged,
    turn: pausesFor(),
    building: onBuilding,
  });
}

export interface MadeDerived {
  readonly key: string;
  readonly packed: PackedDerived;
  /** Number of documents that it was computed from. */
  readonly documents: number;
}

export async function writeDerived(
  disk: Disk,
  folder: string,
  generation: number,
  { key, packed, documents }: MadeDerived,
): Promise<DerivedFile> {
  // A key may hold characters that file names may not.
  const kind = `derived-${/^[a-z-]*/.exec(key)![0]}-${sha256(key).slice(0, 12)}`;
  const pieces = await indexPieces(key, packed as unknown as Packed, pausesFor());
  const name = { kind, generation, extension: 'bin' };
  return { key, documents, generation, ...(await writeImmutable(disk, folder, name, pieces)) };
}

/**
 * Returns the files of derived indexes after a write: without removed documents, behind by those
 * that were put. Omits damaged files.
 */
export async function derivedAfterWrite(
  disk: Disk,
  folder: string,
  generation: number,
  { derived = [] }: Manifest,
  { put, gone }: { readonly put: readonly Document[]; readonly gone: ReadonlySet<string> },
): Promise<DerivedFile[]> {
  const next: DerivedFile[] = [];
  for (const file of derived) {
    if (gone.size === 0) {
      next.push({ ...file, behind: (file.behind ?? 0) + put.length });
      continue;
    }
    const made = withoutDocuments(disk, folder, file, derivedByKey(file.key), gone);
    if (!made) continue;
    const behind = (file.behind ?? 0) + put.length;
    const written = await writeDerived(disk, folder, generation, made);
    next.push(behind > 0 ? { ...written, behind } : written);
  }
  return next;
}

function withoutDocuments(
  disk: Disk,
  folder: string,
  file: DerivedFile,
  derived: DerivedIndex,
  gone: ReadonlySet<string>,
): MadeDerived | undefined {
  try {
    const { index, members } = unpackDerived(derived, readDerived(disk, folder, file));
    const left = new Map([...members].filter(([id]) => !gone.has(id)));
    const packed = packDerived(derived, derived.remove(index, gone), left);
    return { key: file.key, packed, documents: left.size };
  } catch {
    return undefined;
  }
}
