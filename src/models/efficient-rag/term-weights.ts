/**
 * How rare words are: of the common stems of the training paragraphs, the inverse document
 * frequency; all others are as rare as can be.
 */
import type { Word } from './words.ts';

export interface TermWeights {
  /** Of a stem that is not in the table. */
  readonly most: number;
  readonly common: ReadonlyMap<string, number>;
}

export const weightOf = ({ most, common }: TermWeights, { stem }: Pick<Word, 'stem'>): number =>
  common.get(stem) ?? most;

/** Sum of the weights of distinct stems among words that are not on the stop list. */
export function totalWeight(
  weights: TermWeights,
  words: readonly Word[],
  among?: ReadonlySet<string>,
): number {
  const seen = new Set<string>();
  let sum = 0;
  for (const word of words) {
    if (word.stop || seen.has(word.stem) || (among && !among.has(word.stem))) continue;
    seen.add(word.stem);
    sum += weightOf(weights, word);
  }
  return sum;
}

/** The part of the weight of `words` that is `among`; 0 for no words. */
export function sharedWeight(
  weights: TermWeights,
  words: readonly Word[],
  among: ReadonlySet<string>,
): number {
  const whole = totalWeight(weights, words);
  return whole === 0 ? 0 : totalWeight(weights, words, among) / whole;
}

export const stemsOf = (words: readonly Word[]): Set<string> =>
  new Set(words.filter(({ stop }) => !stop).map(({ stem }) => stem));
