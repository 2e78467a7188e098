/** Tells persons by how a text writes their names: in full, and by the last name alone. */

/**
 * Returns true if a name looks like a person's: two or three words, the last of which also occurs
 * alone ("Altman said").
 */
export function looksLikePerson(name: string, alone: ReadonlySet<string>): boolean {
  const words = name.split(/\s+/);
  return words.length >= 2 && words.length <= 3 && !/\d/.test(name) && alone.has(words.at(-1)!);
}

/** Returns the single-word names, which may be last names of longer ones. */
export const singleNames = (names: Iterable<string>): Set<string> =>
  new Set([...names].filter(name => !/\s/.test(name)));

/** Returns the last word of a name of two or three capitalised words. */
function lastWord(name: string): string[] {
  const words = name.split(/\s+/);
  const isFull = words.length >= 2 && words.length <= 3;
  return isFull && words.every(word => /^\p{Lu}/u.test(word)) ? [words.at(-1)!] : [];
}

/**
 * Maps parts of names to the most frequent longer name that has them: "Tarrandine" to Ilse
 * Tarrandine. Of equally frequent ones an answer shows the first by letters; `ties: 'none'` leaves
 * such a part without meaning, so that sentences about two things are not joined.
 */
export function longerNames(
  names: Iterable<string>,
  partsOf: (name: string) => Iterable<string> = lastWord,
  ties: 'first' | 'none' = 'first',
): Map<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const name of names)
    for (const part of partsOf(name)) {
      const longer = counts.get(part) ?? new Map<string, number>();
      counts.set(part, longer.set(name, (longer.get(name) ?? 0) + 1));
    }
  const meant = new Map<string, string>();
  for (const [part, longer] of counts) {
    const [best, second] = [...longer].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    if (ties === 'first' || best![1] !== second?.[1]) meant.set(part, best![0]);
  }
  return meant;
}
