/** Finds the files of a train split. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../src/core/errors.ts';
import { fileError } from '../../src/platform/file-error.ts';

export interface TrainingFile {
  /** Without its folder. */
  readonly name: string;
  readonly sha256: string;
}

/**
 * Returns a file as itself and a folder as its `.json` and `.jsonl` files. Throws
 * `InputError('missing-file')` or `InputError('no-training-data')`.
 */
export function trainingFilesOf(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).filter(name => /\.jsonl?$/.test(name) && !name.startsWith('.'));
    if (names.length > 0) return names.sort().map(name => join(path, name));
  } catch (error) {
    throw fileError(path, error);
  }
  throw new InputError(
    'no-training-data',
    `The folder ${JSON.stringify(path)} holds no .json or .jsonl file`,
  );
}
