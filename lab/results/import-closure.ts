/** Follows imports of values from source files: what a strategy runs through. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './steps.ts';

/** Imports and re-exports of values; those of types alone change no behaviour. */
const IMPORTED = /^(?:import|export)\s(?!type\b)[^;]*?from\s+'(\.[^']+)'/gm;
const LOADED = /\bimport\(\s*'(\.[^']+)'/g;

/**
 * Returns the files that `paths` import, directly or not, with themselves, sorted; paths are below
 * the checkout. Files for which `ends` holds are left out, with what only they import.
 */
export function importClosure(
  paths: readonly string[],
  ends: (path: string) => boolean = () => false,
): readonly string[] {
  const seen = new Set<string>();
  const open = [...paths];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path) || ends(path) || !existsSync(join(ROOT, path))) continue;
    seen.add(path);
    const source = readFileSync(join(ROOT, path), 'utf8');
    for (const pattern of [IMPORTED, LOADED])
      for (const [, to] of source.matchAll(pattern))
        open.push(relative(ROOT, join(ROOT, dirname(path), to!)));
  }
  return [...seen].sort();
}
