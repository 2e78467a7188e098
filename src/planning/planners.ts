/** The family of planners, from name to factory. */
import { type Family, family } from '../naming/family.ts';
import { conjunction } from './conjunction.ts';
import type { Planner } from './planner.ts';
import { sourceAnchored } from './source-anchored.ts';
import { sourceRestricted } from './source-restricted.ts';

export const planners: Family<Planner> = family('planner', [sourceAnchored, conjunction, sourceRestricted]);
