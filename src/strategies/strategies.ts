/** The family of strategies, from name to factory. */
import { type Family, family } from '../naming/family.ts';
import { budgetedAgent } from './budgeted-agent.ts';
import { decomposition } from './decomposition.ts';
import { equalBudgetTopK } from './equal-budget-top-k.ts';
import { fixedTopK } from './fixed-top-k.ts';
import { iterative } from './iterative.ts';
import { multiMetaRag } from './multi-meta-rag.ts';
import { slotAgent } from './slot-agent.ts';
import type { Strategy } from './strategy.ts';

export const strategies: Family<Strategy> = family('strategy', [
  fixedTopK,
  equalBudgetTopK,
  iterative,
  decomposition,
  budgetedAgent,
  slotAgent,
  multiMetaRag,
]);
