/** Cuts text into words that are compared whatever their case, accents and punctuation. */

/** A letter of a script that puts no blank between words, or a run of other letters and digits. */
const WORD = (() => {
  const unspaced =
    '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}';
  return new RegExp(`[${unspaced}]|(?:(?![${unspaced}])[\\p{L}\\p{N}])+`, 'gu');
})();

/**
 * Returns the runs of letters and digits, folded: `Café-Bar` is `cafe` and `bar`. Each letter is a
 * word in Chinese, Japanese, Thai, Lao, Khmer and Burmese.
 */
export const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .match(WORD) ?? [];

/** Returns how often each word occurs. */
function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/**
 * Marks as many of each word as `other` holds fewer of; those that stand at `places` come first.
 */
export function missingFrom(
  words: readonly string[],
  other: readonly string[],
  places: Iterable<number> = [],
): boolean[] {
  const left = countWords(words);
  for (const [word, count] of countWords(other)) left.set(word, (left.get(word) ?? 0) - count);
  const marks = words.map(() => false);
  for (const at of new Set([...places, ...words.keys()])) {
    const count = left.get(words[at]!)!;
    if (count <= 0) continue;
    left.set(words[at]!, count - 1);
    marks[at] = true;
  }
  return marks;
}
