/**
 * Exports the strategies by name, and the parts for writing one.
 *
 * @module multihop/strategies
 */
export { Selection } from '../context/selection.ts';
export { member } from '../core/naming/family.ts';
export { BudgetReached, type Call } from '../core/trace/call.ts';
export { bothFilters, keptFrom, type StrategyQuery, searchAll } from '../search/retriever.ts';
export { strategies, strategiesWith } from './strategies.ts';
export {
  type DiagnosticOrder,
  evidenceFirst,
  type OpenHop,
  rankingOfFirstSearch,
  SEARCH_DEPTH,
} from './strategy.ts';
