/**
 * Exports the strategies by name, and the parts for writing one.
 *
 * @module multihop/strategies
 */
export { Selection } from '../context/selection.ts';
export { member } from '../naming/family.ts';
export { bothFilters, keptFrom, type StrategyQuery, searchAll } from '../retrieval/retriever.ts';
export { BudgetReached, type Call } from '../trace/call.ts';
export { strategies, strategiesWith } from './strategies.ts';
export {
  type DiagnosticOrder,
  evidenceFirst,
  type OpenHop,
  rankingOfFirstSearch,
  SEARCH_DEPTH,
} from './strategy.ts';
