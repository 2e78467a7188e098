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

/**
 * Maps the last word of names of two or three words to the most frequent of them: "Tarrandine" to
 * Ilse Tarrandine.
 */
export function longerNames(names: readonly string[]): Map<string, string> {
  const longer = new Map<string, Map<string, number>>();
  for (const name of names) {
    const words = name.split(/\s+/);
    if (words.length < 2 || words.length > 3 || !words.every(word => /^\p{Lu}/u.test(word)))
      continue;
    const counts = longer.get(words.at(-1)!) ?? new Map<string, number>();
    counts.set(name, (counts.get(name) ?? 0) + 1);
    longer.set(words.at(-1)!, counts);
  }
  return new Map(
    [...longer].map(([last, counts]) => [
      last,
      [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]![0],
    ]),
  );
}
