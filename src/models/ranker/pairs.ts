/** Pairs of a question and a passage as tokens. */
import type { PairLimits } from './ranker-file.ts';
import type { Vocabulary, WordPieces } from './word-piece.ts';

export interface Pair {
  /** `[CLS] question [SEP] passage [SEP]`. */
  readonly ids: readonly number[];
  /** The tokens up to the first [SEP] and with it, whose type is 0; that of all others is 1. */
  readonly first: number;
}

/**
 * Returns what pairs a passage with the question, which is cut into pieces once. A pair that is too
 * long loses the end of the passage.
 */
export function pairsWith(
  question: string,
  pieces: WordPieces,
  { start, end }: Vocabulary,
  { maxTokens, questionTokens }: PairLimits,
): (passage: string) => Pair {
  const asked = [start, ...pieces(question, questionTokens), end];
  return passage => ({
    ids: [...asked, ...pieces(passage, maxTokens - asked.length - 1), end],
    first: asked.length,
  });
}
