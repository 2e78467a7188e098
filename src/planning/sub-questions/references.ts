/**
 * References of one sub-question to the answer of an earlier one: `#1` stands for the answer of the
 * first (MuSiQue's own notation).
 */

/**
 * A number of one or two digits behind `#`, itself no part of a word: "C#1" and "#123" are none.
 * "#1#2" are two, so that none comes about when one is taken out.
 */
const REFERENCE = /(?<![\p{L}#])#(\d{1,2})(?!\p{N})/gu;

/** The numbers that a sub-question refers to, from 1, each once, in order of mention. */
export function referencesIn(text: string): number[] {
  return [...new Set(Array.from(text.matchAll(REFERENCE), match => Number(match[1])))];
}

/**
 * The text with each reference in words: the answer where there is one, nothing where there is none
 * ("#2" for a search engine is the word 2). What is put in holds no reference of its own, whatever
 * the answer says: it is not looked at again.
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

/** The text with the references renumbered; those that have no new number are dropped. */
export function renumbered(
  text: string,
  numberOf: (reference: number) => number | undefined,
): string {
  return withReferences(text, reference => {
    const number = numberOf(reference);
    return number === undefined ? undefined : `#${number}`;
  });
}
