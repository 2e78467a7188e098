/**
 * Counts the blocks of code that run: each call of a function and each round of a loop, of every
 * module that is imported from here on, of this project and of the libraries that it runs.
 */
import { registerHooks } from 'node:module';
import { counters, withCounters } from './instrumented.ts';

const OWN = new URL('.', import.meta.url).href;
const FORMATS = new Set(['module', 'module-typescript']);

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.startsWith('file:') || url.startsWith(OWN) || !FORMATS.has(loaded.format ?? ''))
      return loaded;
    const source =
      typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source!);
    return { ...loaded, source: withCounters(new URL(url).pathname, source) };
  },
});

/** Returns the blocks that ran since the last call, by file. */
export function blocksSince(): Map<string, number> {
  const ran = new Map<string, number>();
  for (const [at, file] of counters.files.entries())
    if (counters.counts[at]! > 0) ran.set(file, counters.counts[at]!);
  counters.counts.fill(0);
  return ran;
}
