/**
 * Defines `lexical(bm25)`, `lexical(s1)`: rank by the engine's inverted index and a named scorer.
 */

import { type Member, member } from '../../core/naming/family.ts';
import type { Name } from '../../core/naming/name.ts';
import { scorers } from '../indexes/lexical/scorers.ts';
import type { UnboundRetriever } from '../retriever.ts';
import { engineRetriever, STORED_UNIT_PARAMETER } from './engine-retriever.ts';

export const lexical: Member<UnboundRetriever> = member({
  name: 'lexical',
  summary:
    'Inverted index: BM25, or the budgeted-agent paper’s sublinear TF-IDF with metadata boosts (s1)',
  paper: 'Robertson and Zaragoza 2009; profile S1 of the budgeted-agent paper',
  cost: 'one search a query, no model',
  parameters: [
    {
      name: 'scorer',
      type: 'member',
      default: { name: 'bm25', args: [] },
      positional: true,
      canonical: (name: Name) => scorers.canonical(name),
      summary: 'bm25(k1=1.5, b=0.75, stop=none) or s1',
    },
    STORED_UNIT_PARAMETER,
  ],
  create: (settings, name) =>
    engineRetriever(name, settings.unit, { scorer: scorers.canonical(settings.scorer) }),
});
