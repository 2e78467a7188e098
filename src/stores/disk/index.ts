/**
 * Exports the durable store, and recorded completions of language models.
 *
 * @module multihop/storage
 */
import { checkNode } from '../../platform/node-version.ts';

export { CassetteFile } from './cassette-file.ts';
export { type Disk, nodeDisk } from './disk.ts';
export { Store } from './store.ts';
export type { StoreEmbedder } from './store-embedders.ts';
export type { StoreOptions } from './store-options.ts';
export { verifyStore } from './verify-store.ts';

checkNode();
