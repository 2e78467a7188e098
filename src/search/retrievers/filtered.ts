/**
 * Defines `filtered(lexical, "source = 'The Verge'")`: searches another retriever among documents
 * that pass a filter.
 */
import type { Filter } from '../../core/corpus/filter.ts';
import { parseFilter, printFilter } from '../../core/corpus/filter-expression.ts';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { type Member, member } from '../../core/naming/family.ts';
import { checkRequirements, filterOperations } from '../capabilities.ts';
import { checkFilterValues } from '../filters/filter-values.ts';
import { bothFilters, needsOf, type UnboundRetriever } from '../retriever.ts';
import { INSIDE_PARAMETER } from './engine-retriever.ts';

export const filtered: Member<UnboundRetriever> = member({
  name: 'filtered',
  summary:
    'Another retriever, among the documents whose metadata pass a filter; filters of the query hold too',
  cost: 'that of the retriever inside',
  parameters: [
    INSIDE_PARAMETER,
    {
      name: 'filter',
      type: 'text',
      default: '',
      positional: true,
      shown: true,
      canonicalText: (expression: string) => printFilter(readFilter(expression)),
      summary: 'a filter expression in quotes',
    },
  ],
  create(settings, name, family) {
    const filter = readFilter(settings.filter);
    const inside = family.create(settings.retriever);
    return {
      name,
      ...needsOf(inside),
      bind(engine, resource) {
        const who = `The retriever "${name}"`;
        checkRequirements(who, { filters: filterOperations(filter) }, engine);
        const bound = inside.bind(engine, resource);
        let checked = false;
        return defined({
          name,
          unit: bound.unit,
          space: bound.space,
          async retrieve(queries, k, call, within) {
            if (!checked) await checkFilterValues(filter, engine, call);
            checked = true;
            return bound.retrieve(queries, k, call, {
              ...within,
              filter: bothFilters(filter, within?.filter)!,
            });
          },
        });
      },
    };
  },
});

function readFilter(expression: string): Filter {
  if (expression !== '') return parseFilter(expression);
  throw new InputError('missing-parameter', 'The retriever "filtered" needs a filter', {
    expected: `for example filtered(lexical, "source = 'The Verge'")`,
  });
}
