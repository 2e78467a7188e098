/** The published systems, from name to factory, and what one of your own must be. */
// Inside the room: budgeted-agent.ts, decomposition.ts, equal-budget-top-k.ts, fixed-top-k.ts, iterative.ts, slot-agent.ts
export { multiMetaRagWith } from './multi-meta-rag.ts';
export { strategies } from './strategies.ts';
export { type Kit, type OpenHop, rankingOfConsidered, rankingOfFirstSearch, SEARCH_DEPTH, type Strategy } from './strategy.ts';
