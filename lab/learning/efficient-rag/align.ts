/**
 * Aligns extracted words with the paragraph that they were extracted from, as the released code of
 * EfficientRAG does (arXiv 2408.04259).
 */
import type { Word } from '../../../src/models/efficient-rag/words.ts';

/** Greatest distance from the cursor at which a word is searched. */
const REACH = 150;
/** Greatest advance of the cursor for one word. */
const STRIDE = 75;

/**
 * Returns one label per word. Takes extracted words in order; each marks the nearest unmarked word
 * with its stem, preferring later ones at equal distance.
 */
export function align(
  words: readonly Pick<Word, 'stem'>[],
  extracted: readonly Pick<Word, 'stem'>[],
): boolean[] {
  const labels = words.map(() => false);
  let cursor = 0;
  for (const { stem } of extracted) {
    const free = (at: number): boolean => words[at]?.stem === stem && labels[at] === false;
    for (let offset = 0; offset < REACH; offset++) {
      const match = free(cursor + offset)
        ? cursor + offset
        : free(cursor - offset)
          ? cursor - offset
          : undefined;
      if (match === undefined) continue;
      labels[match] = true;
      cursor = Math.min(match, cursor + STRIDE);
      break;
    }
  }
  return labels;
}

/**
 * Returns the first position at which one sequence of words occurs in another; undefined if it does
 * not occur or is empty.
 */
export function placeOf(
  words: readonly Pick<Word, 'stem'>[],
  sought: readonly Pick<Word, 'stem'>[],
): number | undefined {
  if (sought.length === 0) return undefined;
  const at = words.findIndex((_, start) =>
    sought.every(({ stem }, index) => words[start + index]?.stem === stem),
  );
  return at < 0 ? undefined : at;
}
