/** The published systems, from name to factory, and what one of your own must be. */
// Inside the room: budgeted-agent.ts, decomposition.ts, efficient-rag.ts, equal-budget-top-k.ts,
// fact-lanes.ts, fact-lanes/, fixed-top-k.ts, ir-cot.ts, ir-cot-extract.ts, ir-cot-paragraphs.ts,
// ir-cot-prompt.ts, ir-cot-reply.ts, ir-cot-settings.ts, ir-cot-steps.ts, iter-retgen.ts,
// iter-retgen-generation.ts, iter-retgen-settings.ts, iterative.ts, multi-meta-rag.ts,
// query-decomposition-settings.ts, query-decomposition-steps.ts, query-decomposition.ts,
// slot-agent.ts, tree-hop.ts, tree-layers.ts
export { Lockstep } from './lockstep.ts';
export { strategies, strategiesWith } from './strategies.ts';
export {
  type DiagnosticOrder,
  evidenceFirst,
  type Kit,
  type OpenHop,
  rankingOfConsidered,
  rankingOfFirstSearch,
  SEARCH_DEPTH,
  type Strategy,
} from './strategy.ts';
