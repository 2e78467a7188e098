/** Finds the folder of this package, in a checkout or in `dist`, and its version. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Package {
  readonly folder: string;
  readonly version: string;
}

let cached: Package | undefined;

/** Searches the parent folders of this file for the package.json of multihop; cached. */
export function thisPackage(): Package {
  if (cached) return cached;
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (existsSync(path)) {
      const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as {
        name?: string;
        version?: string;
      };
      if (name === 'multihop') return (cached = { folder, version: version ?? '0.0.0' });
    }
    if (dirname(folder) === folder)
      throw new Error('No package.json of multihop in the parent folders of this file');
  }
}
