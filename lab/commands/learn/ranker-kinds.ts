/** Finds the kind of fact-ranker weights of each retriever. */
import { InputError } from '../../../src/core/errors.ts';
import type { RankerKind } from '../../../src/models/fact-ranker/fact-ranker.ts';
import type { SearchEngine } from '../../../src/search/engine.ts';
import { retrievers } from '../../../src/search/retrievers.ts';
import { kindOf, signalsOf } from '../../../src/strategies/fact-lanes/search.ts';

/**
 * Maps each retriever's given name to its kind. Throws `InputError('same-weights')` if two
 * retrievers share one.
 */
export function rankerKinds(
  names: readonly string[],
  engine: SearchEngine,
  open: boolean,
): Map<string, RankerKind> {
  const kinds = new Map<string, RankerKind>();
  for (const name of names) {
    const kind = kindOf(signalsOf(retrievers.create(name).bind(engine), true).vectors?.space, open);
    const other = [...kinds].find(([, known]) => known === kind);
    if (other)
      throw new InputError(
        'same-weights',
        `The weights for "${other[0]}" and "${name}" are of one kind`,
        {
          expected: 'one retriever for words, one for an embedder',
          received: `two for ${kind}`,
        },
      );
    kinds.set(name, kind);
  }
  return kinds;
}
