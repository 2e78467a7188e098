/** Defines `dense(lsa)`, `dense(MODEL)`: rank items by the inner product of vectors. */
import { type Member, member } from '../core/naming/family.ts';
import { printName } from '../core/naming/name.ts';
import { engineRetriever, SPACE_PARAMETER, STORED_UNIT_PARAMETER } from './engine-retriever.ts';
import type { UnboundRetriever } from './retriever.ts';

export const dense: Member<UnboundRetriever> = member({
  name: 'dense',
  summary:
    'Vectors: the inner product of query and item in a space of the engine; every item has a score',
  paper: 'under fixed-top-k(k=K) the Direct-R@K of TreeHop',
  cost: 'one search a query; the query is embedded by the space’s own embedder',
  parameters: [SPACE_PARAMETER, STORED_UNIT_PARAMETER],
  create: (settings, name) =>
    engineRetriever(name, settings.unit, {
      space: printName(settings.space),
    }),
});
