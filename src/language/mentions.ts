/** Finds known names (such as sources) in a question, with their positions. */

import { finish, type Steps } from '../core/steps.ts';
import { isWordUnit } from '../core/text/words.ts';
import { type KnownName, KnownNames } from './known-names.ts';

export interface Mention {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns occurrences of known names: case-insensitive, longest name first, without overlaps, in
 * order of position. A frozen list of names is prepared once: pass the same one for each text.
 * Matches plain substrings by default; with `wholeWords`, no name inside another word ("Wired" in
 * "rewired").
 */
export function findMentions(
  text: string,
  names: readonly string[],
  options: { readonly wholeWords?: boolean } = {},
): Mention[] {
  const found = finish(prepareMentions(names)).find(
    text,
    (_, start, end) =>
      !options.wholeWords || !(isWordUnit(text[start - 1]) || isWordUnit(text[end])),
  );
  return found.map(({ name, start, end }) => ({ name: name.text, start, end }));
}

/** Catalogues of lists that cannot change. */
const CATALOGUES = new WeakMap<readonly string[], KnownNames<KnownName>>();

/** Prepares names for `findMentions`: once for a frozen list, at each call for any other. */
export function* prepareMentions(names: readonly string[]): Steps<KnownNames<KnownName>> {
  const known = CATALOGUES.get(names);
  if (known) return known;
  const sorted = names.toSorted().map((text): KnownName => ({ text, folds: true }));
  const catalogue = yield* KnownNames.prepare(sorted);
  if (Object.isFrozen(names)) CATALOGUES.set(names, catalogue);
  return catalogue;
}

/** Returns the distinct names among mentions, in order of first mention. */
export function distinctNames(mentions: readonly Mention[]): string[] {
  return [...new Set(mentions.map(mention => mention.name))];
}
