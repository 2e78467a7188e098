/** The family of retrievers, from name to factory. */
import { type Family, family } from '../core/naming/family.ts';
import { clauses } from './clauses.ts';
import { dense } from './dense.ts';
import { filtered } from './filtered.ts';
import { fused } from './fused.ts';
import { hybrid } from './hybrid.ts';
import { lexical } from './lexical.ts';
import { maxP } from './max-p.ts';
import { reranked } from './reranked.ts';
import type { UnboundRetriever } from './retriever.ts';
import type { RetrieverName } from './retriever-names.ts';

/**
 * All retrievers by name.
 *
 * @example
 * ```ts
 * import { ask, ingest } from 'multihop';
 * import { retrievers } from 'multihop/retrieval';
 *
 * const engine = await ingest(['Ada wrote the first program.', 'Charles built the engine.']);
 * const retriever = retrievers.create('fused(lexical, clauses(lexical))');
 * console.log((await ask('Who built the engine?', { engine, retriever })).retriever);
 * ```
 */
export const retrievers: Family<UnboundRetriever, RetrieverName> = family('retriever', [
  lexical,
  dense,
  hybrid,
  fused,
  clauses,
  maxP,
  filtered,
  reranked,
]);
