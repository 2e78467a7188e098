/** Finds words within one edit of each other: a letter too many, missing, wrong or transposed. */

/**
 * Returns true if the optimal string alignment distance of two texts, in UTF-16 units, is at most
 * 1: one insertion, deletion, substitution or transposition of neighbours (Damerau, A Technique for
 * Computer Detection and Correction of Spelling Errors, CACM 7(3), 1964). O(length).
 */
export function withinOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return (
    a.slice(at + 1) === b.slice(at + 1) ||
    a.slice(at) === b.slice(at + 1) ||
    a.slice(at + 1) === b.slice(at) ||
    isTransposition(a, b)
  );
}

/** Returns true if two neighbouring letters of `a`, transposed, make `b`, and the texts differ. */
export function isTransposition(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return (
    at + 1 < a.length &&
    a[at] === b[at + 1] &&
    a[at + 1] === b[at] &&
    a.slice(at + 2) === b.slice(at + 2)
  );
}

/** The fewest letters of a word in which any one edit is allowed; below, transpositions alone. */
const LEAST_EDITED = 5;
/** A shorter word has no recognisable misspelling. */
const LEAST_TRANSPOSED = 3;

/**
 * Returns true if `typed` is a likely misspelling of `word`: one edit of a word of five letters or
 * more, or a transposition in one of three or four.
 */
export const isMisspelling = (typed: string, word: string): boolean =>
  typed !== word &&
  (Math.min(typed.length, word.length) >= LEAST_EDITED
    ? withinOneEdit(typed, word)
    : word.length >= LEAST_TRANSPOSED && isTransposition(typed, word));

/**
 * An index of words by themselves with one letter deleted: two words within one edit share such a
 * form (symmetric deletion, as in SymSpell). A lookup takes time in the length of the word.
 */
export class MisspellingIndex {
  private readonly words = new Map<string, string[]>();

  constructor(words: Iterable<string> = []) {
    for (const word of new Set(words)) this.add(word);
  }

  /** Adds a word that the index lacks. O(length of the word). */
  add(word: string): void {
    for (const form of formsOf(word)) {
      const known = this.words.get(form);
      if (known) known.push(word);
      else this.words.set(form, [word]);
    }
  }

  /** Returns the indexed words that `typed` is a likely misspelling of, in order of code units. */
  near(typed: string): string[] {
    const found = new Set<string>();
    for (const form of formsOf(typed))
      for (const word of this.words.get(form) ?? [])
        if (isMisspelling(typed, word)) found.add(word);
    return [...found].sort();
  }
}

function formsOf(word: string): Set<string> {
  const forms = new Set([word]);
  for (let at = 0; at < word.length; at++) forms.add(word.slice(0, at) + word.slice(at + 1));
  return forms;
}
