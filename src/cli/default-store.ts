/** Finds the store of a command without --store. */
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Folder of the store, below the working folder or the nearest one above that has it. */
export const DEFAULT_STORE: string = join('.multihop', 'store');

/** Returns the path of the nearest default store, or undefined if there is none. */
export function nearestStore(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, DEFAULT_STORE))) return printed(join(at, DEFAULT_STORE));
    if (dirname(at) === at) return undefined;
  }
}

/** Returns the path of the nearest default store, or of the one that an `ingest` here makes. */
export const storeFor = (folder: string): string =>
  nearestStore(folder) ?? printed(join(resolve(folder), DEFAULT_STORE));

/** Returns a path as a user of the process's folder would write it. */
const printed = (path: string): string => {
  const near = relative('', path);
  return near.startsWith('..') ? path : near;
};
