/** Lists the family of planners. */
import { type Family, family } from '../core/naming/family.ts';
import type { Name } from '../core/naming/name.ts';
import { conjunction } from './conjunction.ts';
import type { Planner } from './planner.ts';
import { sourceAnchored } from './source-anchored.ts';
import { sourceRestricted } from './source-restricted.ts';

export const planners: Family<Planner> = family('planner', [
  sourceAnchored,
  conjunction,
  sourceRestricted,
]);

/** Parameters of strategies that plan: the planner, and the most queries of its plan. */
export const PLAN_PARAMETERS = [
  {
    name: 'planner',
    type: 'member',
    default: { name: 'source-anchored', args: [] },
    canonical: (name: Name): string => planners.canonical(name),
    summary: 'source-anchored, conjunction or source-restricted',
  },
  {
    name: 'queries',
    type: 'integer',
    default: 5,
    min: 1,
    max: 50,
    summary: 'most queries of a plan',
  },
] as const;
