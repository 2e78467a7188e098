/** Finds optional packages, which multihop does not bring along. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Returns the address of an optional package, as multihop resolves it, else as the working folder
 * does; undefined if it is not installed.
 */
export function packageAddress(name: string): string | undefined {
  try {
    return import.meta.resolve(name);
  } catch {
    try {
      return pathToFileURL(createRequire(join(process.cwd(), 'package.json')).resolve(name)).href;
    } catch {
      return undefined;
    }
  }
}
