/**
 * Scores how well a sentence supports a question: the share of the question's content words that it
 * contains, weighted by their rarity among the given sentences.
 */
import { ENGLISH_STOP_WORDS } from './stop-words.ts';
import { wordRuns } from './words.ts';

/**
 * Returns the distinct content words of a text in lower case: word runs of at least two UTF-16
 * units that are not stop words.
 */
export function contentWords(text: string): Set<string> {
  const lower = text.toLowerCase();
  const words = new Set<string>();
  for (const [start, end] of wordRuns(lower)) {
    const word = lower.slice(start, end);
    if (end - start >= 2 && !ENGLISH_STOP_WORDS.has(word)) words.add(word);
  }
  return words;
}

/**
 * Returns, for each sentence, the weighted share (0 to 1) of the question's content words that it
 * contains. The weight of a word is ln(1 + n / (1 + df)) over the n given sentences (smoothed
 * inverse document frequency).
 */
export function sentenceSupport(question: string, sentences: readonly string[]): number[] {
  const questionWords = [...contentWords(question)];
  const sentenceWords = sentences.map(contentWords);
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
