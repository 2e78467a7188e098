/** Checks the derived indexes of a store against its documents. */
import { join } from 'node:path';
import {
  type DerivedSource,
  type Staleness,
  stalenessOf,
  unpackDerived,
} from '../../search/derived/derived-index.ts';
import { DerivedIndexes } from '../../search/derived/derived-indexes.ts';
import { derivedByKey } from '../../search/derived/derived-kinds.ts';
import { readDerived } from './derived-files.ts';
import type { Disk } from './disk.ts';
import type { DerivedFile, Manifest } from './manifest.ts';

export interface DerivedReport {
  readonly problems: readonly { readonly file: string; readonly problem: string }[];
  /** Sound indexes of earlier documents. */
  readonly stale: readonly Staleness[];
}

/** Checks the checksum, the documents and the sizes of every file. */
export async function derivedReport(
  folder: string,
  disk: Disk,
  { derived = [] }: Manifest,
  source: DerivedSource,
  onChecked: (file: DerivedFile) => void,
): Promise<DerivedReport> {
  const problems: { file: string; problem: string }[] = [];
  const stale: Staleness[] = [];
  for (const file of derived) {
    const checked = checkFile(folder, disk, file, source);
    if (typeof checked === 'string')
      problems.push({ file: join(folder, file.file), problem: checked });
    else if (checked) stale.push(checked);
    onChecked(file);
  }
  return { problems, stale };
}

/** Returns the problem of a file, or its staleness; undefined if it has neither. */
function checkFile(
  folder: string,
  disk: Disk,
  file: DerivedFile,
  source: DerivedSource,
): string | Staleness | undefined {
  const { key } = file;
  try {
    const derived = derivedByKey(key);
    const { index, members } = unpackDerived(derived, readDerived(disk, folder, file));
    const stale = stalenessOf(key, members, new DerivedIndexes().membersOf(source.documents));
    if (stale) return file.behind ? stale : `it is not ${key} of these documents`;
    return derived.check(index, source);
  } catch (error) {
    return (error as Error).message;
  }
}
