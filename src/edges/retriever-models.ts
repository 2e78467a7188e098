/**
 * The models that a retriever's name calls for: the spaces of its dense parts, and its rerankers.
 */
import { type Name, parseName, printName } from '../naming/name.ts';
import { retrievers } from '../retrieval/retrievers.ts';
import { canonicalSpace, isFittedSpace } from '../retrieval/space-names.ts';

export interface RetrieverModelNames {
  /** Without those that are fitted on the corpus, such as `lsa`. */
  readonly spaces: readonly string[];
  readonly rerankers: readonly string[];
}

/** Of all the named retrievers. Throws `InputError` for names that are none. */
export function modelsOf(names: readonly string[]): RetrieverModelNames {
  const spaces = new Set<string>();
  const rerankers = new Set<string>();
  const walk = (name: Name): void => {
    // In a canonical name what is shown always comes first, without its key.
    const inside = name.args.flatMap(({ value }) => (typeof value === 'object' ? [value] : []));
    const searchesBySpace = name.name === 'dense' || name.name === 'hybrid';
    if (searchesBySpace) for (const space of inside.slice(0, 1)) spaces.add(canonicalSpace(space));
    else if (name.name === 'reranked')
      for (const model of inside.slice(1, 2)) rerankers.add(printName(model));
    // Whatever else holds a name holds a retriever's.
    if (!searchesBySpace)
      for (const part of name.name === 'reranked' ? inside.slice(0, 1) : inside) walk(part);
  };
  for (const name of names) walk(parseName(retrievers.canonical(name)));
  return {
    spaces: [...spaces].filter(space => space !== 'none' && !isFittedSpace(space)),
    rerankers: [...rerankers],
  };
}
