/** Leaves out mutants that do not compile: the type check finds them before any test. */
import type { CheckoutCopy } from './copy.ts';
import type { Mutant } from './mutants.ts';
import { runNode } from './run-file.ts';

const TSC = 'node_modules/typescript/bin/tsc';
/** An emptied block leaves names unused, which is no reason to leave its mutant out. */
const OPTIONS = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];
/** Checks again only what a mutant changes. */
const INCREMENTAL = ['--incremental', '--tsBuildInfoFile', '.cache/mutate-types.json'];
const LIMIT_MS = 10 * 60_000;

/**
 * Returns the keys of the mutants whose files have type errors. Checks one mutant a file together:
 * exported types are written out (`isolatedDeclarations`), so that errors stay in the file.
 */
export async function uncompiled(
  mutants: readonly Mutant[],
  copy: CheckoutCopy,
): Promise<Set<string>> {
  const bad = new Set<string>();
  const byPath = [...Map.groupBy(mutants, ({ path }) => path).values()];
  const rounds = Math.max(0, ...byPath.map(own => own.length));
  for (let round = 0; round < rounds; round++) {
    const together = byPath.flatMap(own => own.slice(round, round + 1));
    const files = await copy.mutated(together, () => filesWithErrors(copy.root));
    for (const { key, path } of together) if (files.has(path)) bad.add(key);
  }
  return bad;
}

async function filesWithErrors(root: string): Promise<Set<string>> {
  const { output } = await runNode(
    [TSC, '-p', '.', '--pretty', 'false', ...OPTIONS, ...INCREMENTAL],
    { cwd: root, limitMs: LIMIT_MS, read: true },
  );
  return new Set([...output.matchAll(/^(\S+?)\(\d+,\d+\): error /gm)].map(([, path]) => path!));
}
