/**
 * Separates sentences of a chain of thought that state facts, which can be queries, from those that
 * only conclude, by the rules of IRCoT's released code (arXiv 2212.10509; docs/papers).
 */

const CONCLUDES = /^(?:thus[ ,]|so[ ,]|that is,|therefore|hence)/;
/** Matches `12 + 3 = 15`, `2004 - 1998 = 6`. */
const ARITHMETIC = /\d\s?[+-]\s?\d[\d.,]{0,30}\s?=\s?\d/;
const QUESTION_WORDS = new Set([
  'who',
  'what',
  'when',
  'where',
  'why',
  'which',
  'how',
  'does',
  'is',
]);

/** Returns true if a sentence concludes or calculates and states no fact. */
export function isReasoningSentence(sentence: string): boolean {
  const lower = sentence.trimStart().toLowerCase();
  return CONCLUDES.test(lower) || ARITHMETIC.test(lower);
}

/** Returns the last sentence that states a fact, if any. */
export function lastFactualSentence(sentences: readonly string[]): string | undefined {
  return sentences.findLast(sentence => !isReasoningSentence(sentence));
}

/** Returns a query without question words, whole words only and in any case; folds white space. */
export function withoutQuestionWords(text: string): string {
  return text
    .split(/\s+/)
    .filter(word => word !== '' && !QUESTION_WORDS.has(bareWord(word).toLowerCase()))
    .join(' ');
}

/** Removes the punctuation around a word: "Who," and "(where)" are question words too. */
function bareWord(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && !/[\p{L}\p{N}]/u.test(word[start]!)) start++;
  while (end > start && !/[\p{L}\p{N}]/u.test(word[end - 1]!)) end--;
  return word.slice(start, end);
}

/** Compares two sentences, ignoring case and white space. */
export const sameThought = (a: string, b: string): boolean => folded(a) === folded(b);

const folded = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();
