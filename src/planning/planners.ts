/** The family of planners, from name to factory. */
import { type Family, family } from '../naming/family.ts';
import type { Name } from '../naming/name.ts';
import { conjunction } from './conjunction.ts';
import type { Planner } from './planner.ts';
import { sourceAnchored } from './source-anchored.ts';
import { sourceRestricted } from './source-restricted.ts';

export const planners: Family<Planner> = family('planner', [
  sourceAnchored,
  conjunction,
  sourceRestricted,
]);

/**
 * The parameters of every strategy that plans: which planner, and how many queries of its plan at
 * most.
 */
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
    summary: 'queries of a plan, at most',
  },
] as const;
