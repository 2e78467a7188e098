/** Finds optional packages, which multihop does not bring along. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DetectedFormat } from './format.ts';

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

/** Skips a file whose format needs a package that is not installed, with the command for it. */
export const needsPackage = (format: string, name: string): DetectedFormat => ({
  type: 'skipped',
  reason: `${format} needs the package ${name}: npm install ${name}`,
});
