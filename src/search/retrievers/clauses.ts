/**
 * Defines `clauses(lexical)`: searches with each clause of the question; a hit has the score of its
 * best clause.
 */
import { type Member, member } from '../../core/naming/family.ts';
import { bestFusion } from '../../core/ranking/fusion.ts';
import { clausesOf } from '../../language/english/question/clauses.ts';
import { needsOf, type UnboundRetriever } from '../retriever.ts';
import { INSIDE_PARAMETER } from './engine-retriever.ts';

export const clauses: Member<UnboundRetriever> = member({
  name: 'clauses',
  summary:
    'Another retriever, queried with each clause of the question; a hit has the score of its best clause, each clause’s scores scaled from 0 to 1',
  cost: 'one search a clause inside (some 3 a question), in one pass; counts as one retrieval',
  parameters: [
    INSIDE_PARAMETER,
    {
      name: 'depth',
      type: 'integer',
      default: 100,
      min: 1,
      max: 1e6,
      summary: 'depth of each clause’s search, or the requested depth if that is greater',
    },
  ],
  create(settings, name, family) {
    const inside = family.create(settings.retriever);
    const depth = settings.depth;
    return {
      name,
      ...needsOf(inside),
      bind(engine, resource) {
        const bound = inside.bind(engine, resource);
        return {
          name,
          unit: bound.unit,
          async retrieve(queries, k, call, within) {
            const clauseQueries = queries.map(({ text, ...rest }) =>
              clausesOf(text).map(clause => ({ ...rest, text: clause })),
            );
            const lists = await bound.retrieve(
              clauseQueries.flat(),
              k === 0 ? 0 : Math.max(k, depth),
              call,
              within,
            );
            let next = 0;
            return clauseQueries.map(parts =>
              bestFusion(lists.slice(next, (next += parts.length))).slice(0, k),
            );
          },
        };
      },
    };
  },
});
