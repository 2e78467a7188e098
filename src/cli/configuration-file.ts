/**
 * Finds `multihop.config.json`: in the working folder, or in the nearest folder above it up to the
 * root of its repository or to the home folder. Outside of both, only the working folder is looked
 * into: others may write to the folders above. A file of another owner is not read.
 */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { InputError } from '../core/errors.ts';
import { ownText } from './user-folder.ts';

export const CONFIGURATION_FILE = 'multihop.config.json';

export interface ConfigurationFile {
  readonly path: string;
  readonly text: string;
}

export interface ConfigurationSearch {
  /** The working folder. */
  readonly folder: string;
  readonly home: string;
  /** Called with the path of a file that is not read since it has another owner. */
  readonly onForeign: (path: string) => void;
}

/** Throws `InputError('bad-configuration')` for a file that cannot be read. */
export function findConfiguration(search: ConfigurationSearch): ConfigurationFile | undefined {
  for (const folder of foldersOf(real(search.folder), real(search.home))) {
    const path = join(folder, CONFIGURATION_FILE);
    try {
      const text = ownText(path);
      if (text !== undefined) return { path, text };
      search.onForeign(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        throw badConfiguration(path, `it cannot be read: ${(error as Error).message}`);
    }
  }
  return undefined;
}

function foldersOf(folder: string, home: string): readonly string[] {
  const found: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    found.push(at);
    if (at === home || existsSync(join(at, '.git'))) return found;
    if (dirname(at) === at) return [folder];
  }
}

function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}

export const badConfiguration = (path: string, what: string, hint?: string): InputError =>
  new InputError('bad-configuration', `The configuration ${JSON.stringify(path)}: ${what}`, {
    hint,
  });
