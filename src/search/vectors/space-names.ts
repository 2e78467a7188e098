/** The canonical names of vector spaces: the ids of embedders. */
import { InputError } from '../../core/errors.ts';
import { parseName, printName } from '../../core/naming/name.ts';
import { didYouMean } from '../../core/naming/nearest.ts';

/** Returns the canonical name; an id that is no name stays as it is. */
export function canonicalSpace(name: string): string {
  try {
    return printName(parseName(name));
  } catch {
    return name;
  }
}

export function unknownSpace(name: string, ids: readonly string[]): InputError {
  return new InputError('unknown-space', `This engine has no vector space "${name}"`, {
    expected: ids.length > 0 ? `one of ${ids.join(', ')}` : 'an engine with embedders',
    hint: didYouMean(name, ids) || 'Give the engine the embedder of that space.',
  });
}
