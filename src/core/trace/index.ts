/**
 * The trace of a run: sealing, verifying and reading it.
 *
 * @module multihop/trace
 */
export { sealEvents, verifyTrace } from './audit.ts';
export { freeCall } from './call.ts';
export { passageTree } from './passage-tree.ts';
export {
  type Manifest,
  type Rejection,
  type Search,
  type SearchRef,
  traceOf,
  type Withdrawal,
} from './trace.ts';
