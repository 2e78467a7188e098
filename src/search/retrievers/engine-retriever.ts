/** Builds retrievers that only search the engine, and defines parameters that retrievers share. */

import { defined } from '../../core/defined.ts';
import { type Name, printName } from '../../core/naming/name.ts';
import { required } from '../../core/port.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import { embedder } from '../../models/ports.ts';
import { checkRequirements, filterOperations, type Requirements } from '../capabilities.ts';
import type { EngineQuery, SearchEngine, SearchRequest } from '../engine.ts';
import { bothFilters, type Retriever, type UnboundRetriever } from '../retriever.ts';
import { canonicalSpace } from '../vectors/space-names.ts';

export const UNIT_PARAMETER = {
  name: 'unit',
  type: 'text',
  default: 'document',
  choices: ['document', 'passage', 'sentence'],
  summary: 'what is searched and returned',
} as const;

/** The unit of a retriever that searches the engine itself. */
export const STORED_UNIT_PARAMETER = {
  name: 'unit',
  type: 'text',
  default: 'document',
  choices: ['document', 'passage', 'sentence'],
  follows: 'store',
  summary: 'what is searched and returned',
} as const;

/** Names no vector space. */
export const NONE = 'none';

/** Names the vector space to search. */
export const SPACE_PARAMETER = {
  name: 'space',
  type: 'member',
  default: { name: 'none', args: [] },
  positional: true,
  shown: true,
  canonical: (name: Name): string => printName(name),
  port: 'embedder',
  summary: 'the id of an embedder of the engine',
} as const;

/** Names the retriever inside another. */
export const INSIDE_PARAMETER = {
  name: 'retriever',
  type: 'member',
  default: { name: 'lexical', args: [] },
  positional: true,
  shown: true,
  own: true,
  summary: 'what searches',
} as const;

/** Returns a retriever that searches the engine once for all queries, by a scorer or in a space. */
export function engineRetriever(
  name: string,
  unit: Unit,
  by: Pick<SearchRequest, 'scorer' | 'space'>,
): UnboundRetriever {
  return defined({
    name,
    space: by.space,
    needs: by.space === undefined ? undefined : [required(embedder, canonicalSpace(by.space))],
    bind: engine => {
      checkRequirements(`The retriever "${name}"`, requirementsOf(unit, by), engine);
      return boundTo(engine, name, unit, by);
    },
  });
}

const requirementsOf = (
  unit: Unit,
  { scorer, space }: Pick<SearchRequest, 'scorer' | 'space'>,
): Requirements =>
  defined({ units: [unit], scorer, vectorSearch: space === undefined ? undefined : 'any' });

function boundTo(
  engine: SearchEngine,
  name: string,
  unit: Unit,
  by: Pick<SearchRequest, 'scorer' | 'space'>,
): Retriever {
  return defined({
    name,
    unit,
    space: by.space,
    async retrieve(requests, k, call, within) {
      const searched = within?.unit ?? unit;
      const queries = requests.map(({ text, vector, filter }): EngineQuery => {
        const by = vector === undefined ? { text } : { vector };
        const all = bothFilters(filter, within?.filter);
        return all ? { ...by, filter: all } : by;
      });
      const filters = queries.flatMap(({ filter }) => (filter ? filterOperations(filter) : []));
      checkRequirements(`The search of "${name}"`, { units: [searched], filters }, engine);
      return engine.search({ unit: searched, k, ...by, queries }, call);
    },
  });
}
