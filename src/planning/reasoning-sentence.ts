/**
 * Which sentence of a chain of thought states a fact and can be asked with, and which one only
 * draws a conclusion (ir-cot sheet, sections 3 and 4).
 */

const CONCLUDES = /^(?:thus[ ,]|so[ ,]|that is,|therefore|hence)/;
/** `12 + 3 = 15`, `2004 - 1998 = 6`. */
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

/** Whether a sentence reasons, and states no fact. */
export function isReasoningSentence(sentence: string): boolean {
  const lower = sentence.trimStart().toLowerCase();
  return CONCLUDES.test(lower) || ARITHMETIC.test(lower);
}

/** The last sentence that states a fact; undefined where none does. */
export function lastFactualSentence(sentences: readonly string[]): string | undefined {
  return sentences.findLast(sentence => !isReasoningSentence(sentence));
}

/**
 * A query without the question words, whole words only and whatever their case; white space is
 * folded.
 */
export function withoutQuestionWords(text: string): string {
  return text
    .split(/\s+/)
    .filter(word => word !== '' && !QUESTION_WORDS.has(bareWord(word).toLowerCase()))
    .join(' ');
}

/** Without the punctuation around it: "Who," and "(where)" are question words too. */
function bareWord(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && !/[\p{L}\p{N}]/u.test(word[start]!)) start++;
  while (end > start && !/[\p{L}\p{N}]/u.test(word[end - 1]!)) end--;
  return word.slice(start, end);
}

/** The sentence for comparisons: case and white space do not make another thought. */
export const sameThought = (a: string, b: string): boolean => folded(a) === folded(b);

const folded = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();
