/**
 * Scores how well a sentence supports a question: the share of the question's content words that it
 * contains, weighted by their rarity among the given sentences.
 */

import { wordsIn } from '../../../core/text/matched-words.ts';
import { ENGLISH_STOP_WORDS } from './stop-words.ts';

/**
 * Returns the distinct content words of a text in lower case: word runs of at least two UTF-16
 * units that are not stop words.
 */
export function contentWords(text: string): Set<string> {
  const words = new Set<string>();
  for (const word of wordsIn(text.toLowerCase())) if (isContentWord(word)) words.add(word);
  return words;
}

/** Returns true for a word run, in lower case, that `contentWords` returns. */
export const isContentWord = (run: string): boolean =>
  run.length >= 2 && !ENGLISH_STOP_WORDS.has(run);

/** Returns those of some content words that a text contains. */
function wordsAmong(asked: ReadonlySet<string>, text: string): Set<string> {
  const found = new Set<string>();
  for (const word of wordsIn(text.toLowerCase())) if (asked.has(word)) found.add(word);
  return found;
}

/**
 * Returns, for each sentence, the weighted share (0 to 1) of the question's content words that it
 * contains. The weight of a word is ln(1 + n / (1 + df)) over the n given sentences (smoothed
 * inverse document frequency).
 */
export function sentenceSupport(question: string, sentences: readonly string[]): number[] {
  const asked = contentWords(question);
  const questionWords = [...asked];
  const sentenceWords = sentences.map(sentence => wordsAmong(asked, sentence));
  const weights = questionWords.map(word =>
    Math.log(1 + sentences.length / (1 + sentenceWords.filter(words => words.has(word)).length)),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return sentences.map(() => 0);
  return sentenceWords.map(
    words =>
      questionWords.reduce(
        (sum, word, index) => (words.has(word) ? sum + weights[index]! : sum),
        0,
      ) / total,
  );
}
