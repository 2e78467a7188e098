/** Pairs of a question and a passage as tokens. */
import type { PairLimits } from './ranker-file.ts';
import type { Vocabulary, WordPieces } from './word-piece.ts';

export interface Pair {
  /** `[CLS] question [SEP] passage [SEP]`. */
  readonly ids: readonly number[];
  /**
   * 0 up to the first [SEP] and for it, 1 after it; 2 and 3 where a piece stands in both parts.
   * A small network need not learn to compare words that are equal.
   */
  readonly types: readonly number[];
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
  const asked = pieces(question, questionTokens);
  const askedOnce = new Set(asked);
  return passage => {
    const given = pieces(passage, maxTokens - asked.length - 3);
    const givenOnce = new Set(given);
    return {
      ids: [start, ...asked, end, ...given, end],
      types: [
        0,
        ...asked.map(piece => (givenOnce.has(piece) ? 2 : 0)),
        0,
        ...given.map(piece => (askedOnce.has(piece) ? 3 : 1)),
        1,
      ],
    };
  };
}
