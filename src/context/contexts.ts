/** Lists the family of contexts. */
import { type Family, family } from '../core/naming/family.ts';
import type { UnboundContext } from './context.ts';
import type { ContextName } from './context-names.ts';
import { headers } from './headers.ts';
import { lead } from './lead.ts';
import { sentences } from './sentences.ts';
import { whole } from './whole.ts';

/**
 * All contexts by name.
 *
 * @example
 * ```ts
 * import { ask, ingest } from 'multihop';
 * import { contexts } from 'multihop/reading';
 *
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * const context = contexts.create('whole');
 * console.log((await ask('Who built the engine?', { engine, context })).context.text);
 * ```
 */
export const contexts: Family<UnboundContext, ContextName> = family('context', [
  lead,
  whole,
  headers,
  sentences,
]);
