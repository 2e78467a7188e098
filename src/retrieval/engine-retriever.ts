/**
 * What retrievers that ask the engine and nothing else have in common, and the parameters that
 * retrievers share.
 */
import type { Name } from '../naming/name.ts';
import type { Unit } from '../ranking/ranking.ts';
import type { SearchRequest } from './engine.ts';
import { bothFilters, type UnboundRetriever } from './retriever.ts';
import { canonicalSpace } from './space-names.ts';

export const UNIT_PARAMETER = {
  name: 'unit',
  type: 'text',
  default: 'document',
  choices: ['document', 'passage', 'sentence'],
  summary: 'what is searched and returned',
} as const;

/** The vector space that is searched. */
export const SPACE_PARAMETER = {
  name: 'space',
  type: 'member',
  default: { name: 'lsa', args: [] },
  positional: true,
  shown: true,
  canonical: (name: Name): string => canonicalSpace(name),
  summary: 'lsa(dimensions=256), which every engine has, or the id of an embedder of the engine',
} as const;

/** The retriever inside another. */
export const INSIDE_PARAMETER = {
  name: 'retriever',
  type: 'member',
  default: { name: 'lexical', args: [] },
  positional: true,
  shown: true,
  own: true,
  summary: 'what searches',
} as const;

/** One search of the engine for all queries, by a scorer or in a space. */
export function engineRetriever(
  name: string,
  unit: Unit,
  by: Pick<SearchRequest, 'scorer' | 'space'>,
): UnboundRetriever {
  return {
    name,
    bind: engine => ({
      name,
      unit,
      ...(by.space === undefined ? {} : { space: by.space }),
      retrieve: (given, k, call, within) => {
        const queries = given.map(({ text, vector, filter }) => {
          const asked = vector === undefined ? { text } : { vector };
          const all = bothFilters(filter, within?.filter);
          return all ? { ...asked, filter: all } : asked;
        });
        return engine.search({ unit: within?.unit ?? unit, k, ...by, queries }, call);
      },
    }),
  };
}
