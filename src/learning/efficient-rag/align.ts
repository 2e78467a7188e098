/**
 * Which words of a paragraph are those that were extracted from it (EfficientRAG's alignment; our
 * sheet, 5.3).
 */
import type { Word } from '../../models/efficient-rag/words.ts';

/** How far around the cursor a word is looked for. */
const REACH = 150;
/** The cursor moves on by no more than so much at once. */
const STRIDE = 75;

/**
 * One label a word. Extracted words are taken in order; each marks the nearest unmarked word of its
 * stem, forwards before backwards.
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
      const found = free(cursor + offset)
        ? cursor + offset
        : free(cursor - offset)
          ? cursor - offset
          : undefined;
      if (found === undefined) continue;
      labels[found] = true;
      cursor = Math.min(found, cursor + STRIDE);
      break;
    }
  }
  return labels;
}

/**
 * Where a sequence of words first stands in another as it is; undefined: nowhere, or there is none
 * to look for.
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
