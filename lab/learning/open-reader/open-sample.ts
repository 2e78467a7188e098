/** Declares the questions that the open reader learns from. */
import type { GivenSentence } from '../../../src/readers/open/open-sentence.ts';

/** A question with its evidence as it was shown. */
export interface OpenSample {
  /** Its data set. */
  readonly set: string;
  readonly question: string;
  readonly answers: readonly string[];
  readonly titles: readonly string[];
  readonly sentences: readonly GivenSentence[];
  /** True if its documents were read with headlines instead of names as titles. */
  readonly headlines?: boolean;
}
