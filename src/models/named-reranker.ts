/**
 * The reranker of a name among those that a run was given: for retrievers and strategies that name
 * one.
 */
import { InputError } from '../errors.ts';
import { didYouMean } from '../naming/nearest.ts';
import type { Reranker } from './reranker.ts';

/** Throws `InputError('unknown-reranker')` that names the nearest. */
export function namedReranker(name: string, given: readonly Reranker[] = []): Reranker {
  const found = given.find(({ id }) => id === name);
  if (found) return found;
  const ids = given.map(({ id }) => id);
  throw new InputError('unknown-reranker', `This run has no reranker "${name}"`, {
    expected:
      ids.length > 0
        ? `one of ${ids.join(', ')}`
        : 'a reranker of that id among the rerankers of the run',
    hint: didYouMean(name, ids) || 'Give the run that reranker.',
  });
}
