/** Tells how many cores one piece of work may use. */
import { availableParallelism } from 'node:os';

/**
 * Returns 2 at most, since each core takes memory of its own; 1 outside Node, whose processes and
 * threads other runtimes imitate.
 */
export function coresForWork(): number {
  const { bun, deno } = process.versions as NodeJS.ProcessVersions & { readonly deno?: string };
  return bun === undefined && deno === undefined ? Math.min(2, availableParallelism()) : 1;
}
