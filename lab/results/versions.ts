/** Identifies code and weights by content: a step that measures other code is another step. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './steps.ts';

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return path.endsWith('.test.ts') ? [] : [path];
  return readdirSync(path)
    .sort()
    .flatMap(name => filesOf(join(path, name)));
}

/**
 * Returns 8 hexadecimal digits over the contents of files and folders below the checkout. Throws if
 * one is missing, so that a folder that moves is not left out unseen.
 */
export function versionOf(...paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths)
    for (const file of filesOf(join(ROOT, path))) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 8);
}
