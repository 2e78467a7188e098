/**
 * Stands for stems in languages other than English: overlapping groups of four letters, the length
 * that McNamee and Mayfield (Information Retrieval 7, 2004, doi 10.1023/B:INRT.0000009441.78971.be)
 * find best over the languages of Europe. Endings, prefixes and parts of compounds then match
 * without a table of the language.
 */

/** Number of letters of a group. */
const GROUP = 4;

const ACCENTS = /(?<=\p{Script=Latin})\p{M}+/gu;

/** Returns the groups of a word, in order; a shorter word is its group. Accents do not count. */
export function letterGroups(word: string): string[] {
  const letters = [...word.normalize('NFD').replace(ACCENTS, '').normalize('NFC')];
  if (letters.length <= GROUP) return [letters.join('')];
  return letters.slice(GROUP - 1).map((_, at) => letters.slice(at, at + GROUP).join(''));
}
