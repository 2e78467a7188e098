/** Checks the derived indexes of a store against its documents. */
import { join } from 'node:path';
import { freeCall } from '../../core/trace/call.ts';
import { sha256 } from '../../platform/sha256.ts';
import {
  packDerived,
  type Staleness,
  stalenessOf,
  unpackDerived,
} from '../../search/derived-index.ts';
import { DerivedIndexes } from '../../search/derived-indexes.ts';
import type { Snapshot } from '../../search/snapshot.ts';
import { derivedPieces, type FindDerived, readDerived } from './derived-files.ts';
import type { Disk } from './disk.ts';
import type { DerivedFile, Manifest } from './manifest.ts';

export interface DerivedReport {
  readonly problems: readonly { readonly file: string; readonly problem: string }[];
  /** Sound indexes of earlier documents. */
  readonly stale: readonly Staleness[];
}

/**
 * Checks the checksum of every file. Rebuilds an index that needs no model and compares the bytes;
 * checks documents and sizes of an index that needs a model.
 */
export async function derivedReport(
  folder: string,
  disk: Disk,
  { derived = [] }: Manifest,
  fresh: Snapshot,
  find: FindDerived,
  onChecked: (file: DerivedFile) => void,
): Promise<DerivedReport> {
  const problems: { file: string; problem: string }[] = [];
  const stale: Staleness[] = [];
  for (const file of derived) {
    const checked = await checkFile(folder, disk, file, fresh, find);
    if (typeof checked === 'string')
      problems.push({ file: join(folder, file.file), problem: checked });
    else if (checked) stale.push(checked);
    onChecked(file);
  }
  return { problems, stale };
}

/** Returns the problem of a file, or its staleness; undefined if it has neither. */
async function checkFile(
  folder: string,
  disk: Disk,
  file: DerivedFile,
  fresh: Snapshot,
  find: FindDerived,
): Promise<string | Staleness | undefined> {
  const { key } = file;
  try {
    const derived = find(key);
    const { index, members } = unpackDerived(derived, readDerived(disk, folder, file));
    const { derivedSource: source } = fresh;
    const stale = stalenessOf(key, members, new DerivedIndexes().membersOf(source.documents));
    if (stale) return file.behind ? stale : `it is not ${key} of these documents`;
    if (derived.add) return derived.check?.(index, source);
    const call = freeCall();
    const built = await fresh.openDerived(derived, call, { fresh: true });
    const pieces = derivedPieces(key, packDerived(derived, built.index, built.members));
    return sha256(...pieces) === file.sha256 ? undefined : `it is not ${key} of these documents`;
  } catch (error) {
    return (error as Error).message;
  }
}
