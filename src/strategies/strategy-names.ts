/** Lists the names of strategies, which editors complete; a test holds it equal to the family. */
export const STRATEGY_NAMES = [
  'fixed-top-k',
  'equal-budget-top-k',
  'iterative',
  'decomposition',
  'budgeted-agent',
  'slot-agent',
  'multi-meta-rag',
  'query-decomposition',
  'tree-hop',
  'ir-cot',
  'iter-retgen',
  'efficient-rag',
  'bridge-claims',
  'fact-lanes',
  'naive',
  'longrag-units',
  'longrag-dual',
  'hipporag2',
  'chain',
] as const;

export type StrategyName = (typeof STRATEGY_NAMES)[number];
