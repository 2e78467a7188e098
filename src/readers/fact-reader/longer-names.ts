/** Finds the full names of persons whom a text calls by their last name. */

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
