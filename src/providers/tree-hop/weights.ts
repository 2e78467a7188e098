/** The published weights of TreeHop: the package `@multihop/tree-hop-bge-small`. */
import { readFileSync } from 'node:fs';
import type { QueryUpdater } from '../../models/query-updater.ts';
import { weightsPath } from '../../platform/weights-package.ts';

/** The name of the weights in a package and in an unpacked folder of one. */
export const TREE_HOP_WEIGHTS = 'tree-hop.safetensors';

/** Returns the path of the installed weights. Throws `InputError('missing-weights')`. */
export const shippedTreeHopPath = (): string =>
  weightsPath({
    name: '@multihop/tree-hop-bge-small',
    file: TREE_HOP_WEIGHTS,
    of: 'tree-hop for bge-small-en-v1.5',
    otherwise: 'Or give a checkpoint: treeHopUpdater(readCheckpoint(bytes))',
    remedy: { id: 'install-query-updater' },
  });

/**
 * Returns the query updater for the embedder bge-small-en-v1.5, for `resources` of `ask`.
 * Throws `InputError('missing-weights')` if `@multihop/tree-hop-bge-small` is not installed.
 */
export async function shippedTreeHop(): Promise<QueryUpdater> {
  const { readCheckpoint } = await import('../../models/tree-hop/checkpoint.ts');
  const { treeHopUpdater } = await import('../../models/tree-hop/tree-hop-updater.ts');
  return treeHopUpdater(readCheckpoint(new Uint8Array(readFileSync(shippedTreeHopPath()))));
}
