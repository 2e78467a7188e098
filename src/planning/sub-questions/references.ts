/**
 * Reads and replaces references of a sub-question to the answer of an earlier one, in the notation
 * of MuSiQue (arXiv 2108.00573): `#1` is the answer of the first.
 */

/**
 * Matches `#` with one or two digits that is not part of a word: "C#1" and "#123" do not match.
 * "#1#2" is two references, so that removing one does not create another.
 */
const REFERENCE = /(?<![\p{L}#])#(\d{1,2})(?!\p{N})/gu;

/** Returns the distinct numbers that a sub-question refers to, from 1, in order of mention. */
export function referencesIn(text: string): number[] {
  return [...new Set(Array.from(text.matchAll(REFERENCE), match => Number(match[1])))];
}

/**
 * Replaces each reference by its answer, or removes it ("#2" would be the word 2 for a search
 * engine). Does not scan inserted answers for references.
 */
export function withReferences(
  text: string,
  answerOf: (reference: number) => string | undefined,
): string {
  return text
    .replace(REFERENCE, (_all, number: string) => answerOf(Number(number)) ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Renumbers the references; removes those without a new number. */
export function renumbered(
  text: string,
  numberOf: (reference: number) => number | undefined,
): string {
  return withReferences(text, reference => {
    const number = numberOf(reference);
    return number === undefined ? undefined : `#${number}`;
  });
}
