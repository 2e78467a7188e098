/** Keeps what was measured in a folder, with what it was measured by. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitNow } from '../commit.ts';
import { machine } from '../measure.ts';
import type { Measured } from './bed.ts';
import type { Sizes } from './sizes.ts';

/** Facts on which figures depend. */
export interface Manifest {
  /** The commit, with `+` after it if files differ from it; empty without git. */
  readonly commit: string;
  readonly machine: string;
  readonly at: string;
  readonly sizes: Sizes;
}

interface KeptGoal extends Measured {
  readonly manifest: Manifest;
}

export const manifestOf = (sizes: Sizes): Manifest => ({
  commit: commitNow(),
  machine: machine(),
  at: new Date().toISOString(),
  sizes,
});

/** Returns what a run before has kept under a name, else measures and keeps it; with its commit. */
export async function kept(
  folder: string,
  name: string,
  { sizes, measure }: { readonly sizes: Sizes; readonly measure: () => Promise<Measured> },
): Promise<Measured> {
  const path = join(folder, `${name}.json`);
  if (existsSync(path)) return withCommit(JSON.parse(readFileSync(path, 'utf8')));
  const manifest = manifestOf(sizes);
  const measured = { manifest, ...(await measure()) };
  writeFileSync(path, `${JSON.stringify(measured, null, 2)}\n`);
  return withCommit(measured);
}

const withCommit = ({ manifest: { commit, at }, results, delays }: KeptGoal): Measured => ({
  results: results.map(result => ({ ...result, commit, date: at.slice(0, 10) })),
  delays,
});
