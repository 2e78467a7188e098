/** The family of retrievers, from name to factory. */
import { type Family, family } from '../core/naming/family.ts';
import type { UnboundRetriever } from './retriever.ts';
import type { RetrieverName } from './retriever-names.ts';
import { clauses } from './retrievers/clauses.ts';
import { dense } from './retrievers/dense.ts';
import { filtered } from './retrievers/filtered.ts';
import { fused } from './retrievers/fused.ts';
import { hybrid } from './retrievers/hybrid.ts';
import { lexical } from './retrievers/lexical.ts';
import { maxP } from './retrievers/max-p.ts';
import { reranked } from './retrievers/reranked.ts';

/**
 * All retrievers by name.
 *
 * @example
 * ```ts
 * import { ask, ingest } from 'multihop';
 * import { retrievers } from 'multihop/retrieval';
 *
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
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
