/** The folder of this package, from a checkout as from `dist`, and what its package.json says. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Package {
  readonly folder: string;
  readonly version: string;
}

let found: Package | undefined;

/** Looks upwards from this file for the package.json of multihop. */
export function thisPackage(): Package {
  if (found) return found;
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (existsSync(path)) {
      const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as {
        name?: string;
        version?: string;
      };
      if (name === 'multihop') return (found = { folder, version: version ?? '0.0.0' });
    }
    if (dirname(folder) === folder) throw new Error('The package.json of multihop was not found');
  }
}
