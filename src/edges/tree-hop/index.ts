/**
 * TreeHop as a query updater: its checkpoints, and the weights of the installed package.
 *
 * @module multihop/tree-hop
 */
import { checkNode } from '../node-version.ts';

export { type Checkpoint, readCheckpoint } from '../../tree-hop/model/checkpoint.ts';
export { treeHopUpdater } from '../../tree-hop/model/tree-hop-updater.ts';
export { shippedTreeHop } from './shipped.ts';

checkNode();
