/** Defines `dense(EMBEDDER)`: ranks items by the inner product of vectors. */
import { InputError } from '../../core/errors.ts';
import { type Member, member } from '../../core/naming/family.ts';
import { printName } from '../../core/naming/name.ts';
import type { UnboundRetriever } from '../retriever.ts';
import {
  engineRetriever,
  NONE,
  SPACE_PARAMETER,
  STORED_UNIT_PARAMETER,
} from './engine-retriever.ts';

export const dense: Member<UnboundRetriever> = member({
  name: 'dense',
  summary:
    'Vectors: the inner product of query and item in a space of the engine; every item has a score',
  paper: 'under fixed-top-k(k=K) the Direct-R@K of TreeHop',
  cost: 'one search a query; the query is embedded by the space’s own embedder',
  parameters: [SPACE_PARAMETER, STORED_UNIT_PARAMETER],
  create(settings, name) {
    const space = printName(settings.space);
    if (space === NONE)
      throw new InputError('missing-parameter', 'The retriever "dense" needs a vector space', {
        expected: 'the id of an embedder, as in dense(bge-small-en-v1.5)',
        hint: 'lexical and hybrid search without vectors.',
      });
    return engineRetriever(name, settings.unit, { space });
  },
});
