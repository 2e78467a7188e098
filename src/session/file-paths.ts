/** Names the files that the documents of a store were read from, as their user would. */
import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { nodeDisk } from '../stores/disk/disk.ts';
import type { Manifest } from '../stores/disk/manifest.ts';
import type { OnWarning } from '../stores/disk/read-packed.ts';
import { type KnownFiles, readSources } from '../stores/disk/source-files.ts';

/** Returns the path of a record from the working folder. */
export type PathOf = (record: { readonly root: string; readonly path: string }) => string;

/** `folder`: the real path of the store. */
export function placesOf({ roots }: KnownFiles, folder: string): PathOf {
  const byName = new Map(roots.map(root => [root.name, root]));
  return ({ root, path }) => {
    const at = byName.get(root)?.at;
    return at === undefined ? `${root}/${path}` : relative('', join(folder, at, path));
  };
}

/** Returns paths by the id of the document. */
export function pathsOf({ records }: KnownFiles, placeOf: PathOf): Map<string, string> {
  const paths = new Map<string, string>();
  for (const record of records.values())
    for (const id of record.ids) paths.set(id, placeOf(record));
  return paths;
}

/** Reads the paths of these documents; none where the list of files is damaged: reports that. */
export async function readPaths(
  { folder, manifest }: { readonly folder: string; readonly manifest: Manifest },
  ids: readonly string[],
  onWarning: OnWarning = () => {},
): Promise<ReadonlyMap<string, string>> {
  if ((manifest.sources ?? []).length === 0) return new Map();
  const known = await readSources(nodeDisk, folder, manifest, onWarning, ids);
  return pathsOf(known, placesOf(known, await realpath(folder)));
}
