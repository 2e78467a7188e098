/** Cuts text into words that are compared whatever their case, accents and punctuation. */

/** Returns the runs of letters and digits, folded: `Café-Bar` is `cafe` and `bar`. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns how often each word occurs. */
export function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Marks the words that `left` does not hold any more; takes from it those that it holds. */
export function missingFrom(words: readonly string[], left: Map<string, number>): boolean[] {
  return words.map(word => {
    const count = left.get(word) ?? 0;
    if (count > 0) left.set(word, count - 1);
    return count === 0;
  });
}
