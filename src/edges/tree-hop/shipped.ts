/**
 * The TreeHop checkpoint that lies in the package: for vectors of bge-small-en-v1.5, trained by
 * `multihop treehop train`; its metadata say on what.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../errors.ts';
import type { QueryUpdater } from '../../models/query-updater.ts';
import { thisPackage } from '../package-root.ts';

const FILE = 'tree-hop-bge-small-en-v1.5.safetensors';

/** Throws `InputError('missing-file')` where the package was copied without it. */
export function shippedTreeHopPath(): string {
  const path = join(thisPackage().folder, 'checkpoints', FILE);
  if (existsSync(path)) return path;
  throw new InputError('missing-file', `The package's own TreeHop checkpoint is not at ${path}`, {
    hint: 'Install multihop again, or give a checkpoint: --query-updater FILE.',
  });
}

/**
 * What `tree-hop` uses where nothing else is given: a model for the embedder bge-small-en-v1.5
 * alone. For `queryUpdaters` of `ask`.
 */
export async function shippedTreeHop(): Promise<QueryUpdater> {
  const { readCheckpoint } = await import('../../tree-hop/model/checkpoint.ts');
  const { treeHopUpdater } = await import('../../tree-hop/model/tree-hop-updater.ts');
  return treeHopUpdater(readCheckpoint(new Uint8Array(readFileSync(shippedTreeHopPath()))));
}
