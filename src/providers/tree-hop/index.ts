/**
 * TreeHop as a query updater: its checkpoints, and the weights of the installed package.
 *
 * @module multihop/tree-hop
 */
import { checkNode } from '../../platform/node-version.ts';

export { readCheckpoint } from '../../models/tree-hop/checkpoint.ts';
export { treeHopUpdater } from '../../models/tree-hop/tree-hop-updater.ts';
export { shippedTreeHop } from './weights.ts';

checkNode();
