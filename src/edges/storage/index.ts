/** The durable store. */
// Inside the room: cassette-lines.ts, commit.ts, create-store.ts, generation.ts, index-file.ts,
// kept-vectors.ts, segment.ts, stored-indexes.ts, stored-vectors.ts, write-lock.ts
export { CassetteFile, type CassetteModel } from './cassette-file.ts';
export { type Disk, nodeDisk } from './disk.ts';
export type { OnFitted } from './fitted-spaces.ts';
export type { FittedRecord, SpaceRecord } from './manifest.ts';
export { Store, type StoreOptions } from './store.ts';
export type { OnEmbedded, StoreEmbedder } from './store-embedders.ts';
export { STORE_CODES } from './store-errors.ts';
export type { OnWarning, StoreWarning } from './stored-indexes.ts';
export {
  type StoreProblem,
  type StoreReport,
  verifyStore,
  withoutVectors,
} from './verify-store.ts';
