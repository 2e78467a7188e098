/** Lists the family of contexts. */
import { type Family, family } from '../naming/family.ts';
import type { UnboundContext } from './context.ts';
import { headers } from './headers.ts';
import { lead } from './lead.ts';
import { sentences } from './sentences.ts';
import { whole } from './whole.ts';

export const contexts: Family<UnboundContext> = family('context', [
  lead,
  whole,
  headers,
  sentences,
]);
