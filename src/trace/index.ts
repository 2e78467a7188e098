/**
 * The record of a run, what it may cost and did cost, and the chain that makes it tamper-evident.
 */
export {
  AuditChain,
  type Checked,
  type Hash,
  type Heads,
  sealEvents,
  splitTraces,
  TRACE_FORMAT,
  TraceCheck,
  type Verified,
  verifyTrace,
} from './audit.ts';
export { BudgetReached, type Call, freeCall } from './call.ts';
export { keptInOrder } from './evidence-order.ts';
export { Ledger, type LedgerOptions } from './ledger.ts';
export { type PassageNode, passageTree } from './passage-tree.ts';
export { Run } from './run.ts';
export {
  type Answer,
  type Citation,
  type ContextPart,
  type ContextText,
  type DiagnosticRanking,
  type End,
  type Evidence,
  type EvidenceItem,
  type Hop,
  type Manifest,
  type ModelOutput,
  type Question,
  type Rejection,
  type RejectionReason,
  type Search,
  type SearchRef,
  type Stopped,
  type Trace,
  type TraceEvent,
  traceOf,
  type Withdrawal,
} from './trace.ts';
export {
  addUsage,
  type Budget,
  LIMIT_NAMES,
  type LimitName,
  subtractUsage,
  type Usage,
} from './usage.ts';
export { vectorHash } from './vector-hash.ts';
