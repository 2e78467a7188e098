/**
 * Weighs words by rarity: common stems of the training paragraphs by inverse document frequency,
 * all others by the maximum.
 */
import type { Word } from './words.ts';

export interface TermWeights {
  /** Weight of a stem that is not in `common`. */
  readonly most: number;
  readonly common: ReadonlyMap<string, number>;
}

export const weightOf = ({ most, common }: TermWeights, { stem }: Pick<Word, 'stem'>): number =>
  common.get(stem) ?? most;

/**
 * Returns the sum of the weights of distinct stems of `words`, without stop words, restricted to
 * `among` if given.
 */
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

/** Returns the share of the weight of `words` whose stems are in `among`; 0 for no words. */
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
