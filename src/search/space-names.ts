/** The canonical names of vector spaces: `lsa`, `lsa(dimensions=128)`, or the id of an embedder. */
import { InputError } from '../core/errors.ts';
import { type Name, parseName, printName } from '../core/naming/name.ts';
import { didYouMean } from '../core/naming/nearest.ts';
import { fittedSpaces } from './indexes/lsa/fitted-spaces.ts';

const isFitted = (name: Name): boolean =>
  fittedSpaces.members.some(member => member.name === name.name);

/** Returns true for a space that is fitted on the corpus itself, which every engine has. */
export function isFittedSpace(name: string): boolean {
  const parsed = parsedName(name);
  return parsed !== undefined && isFitted(parsed);
}

/** Returns the canonical name; an id that is no name stays as it is. */
export function canonicalSpace(name: string | Name): string {
  const parsed = typeof name === 'string' ? parsedName(name) : name;
  if (parsed === undefined) return name as string;
  return isFitted(parsed) ? fittedSpaces.canonical(parsed) : printName(parsed);
}

export function unknownSpace(name: string, ids: readonly string[]): InputError {
  const known = [...fittedSpaces.members.map(member => member.name), ...ids];
  const near = didYouMean(name, known);
  return new InputError('unknown-space', `This engine has no vector space "${name}"`, {
    expected: `one of ${known.join(', ')}`,
    hint: near || 'Give the engine the embedder of that space.',
  });
}

function parsedName(name: string): Name | undefined {
  try {
    return parseName(name);
  } catch {
    return undefined;
  }
}
