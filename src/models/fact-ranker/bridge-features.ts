/**
 * Features of the second stage: names that the best candidates share and the question does not
 * mention (bridge entities).
 */

import { wordsIn } from '../../core/text/matched-words.ts';
import { capitalisedWords } from '../../language/english/words/stems.ts';
import { bestPlaces, columnOf, type Features, rankDiscount } from './features.ts';
import type { QuestionView } from './question-view.ts';
import type { TextWords } from './text-words.ts';

/** The number of best candidates whose names count. */
const MENTIONING = 20;

export interface Bridges {
  /**
   * Weights of capitalised words that the question does not have: the sum over lanes of the rank
   * discount of the best candidate with the word, scaled so that the greatest is 1.
   */
  readonly weights: ReadonlyMap<string, number>;
  readonly features: Features;
}

/**
 * Returns the bridge entities and their features. `scores`: those of the previous stage; `lanes`:
 * the lane of each candidate.
 */
export function bridgesOf(view: QuestionView, scores: Float64Array, lanes: Int32Array): Bridges {
  const { candidates } = view;
  const questionWords = wordsOf(view.lanes[0]!);
  const discounts = new Map<string, Map<number, number>>();
  const mass = new Map<string, number>();
  for (const [rank, index] of bestPlaces(scores, MENTIONING).entries()) {
    const discount = rankDiscount(rank);
    const { documentId, text, title } = candidates[index]!;
    mass.set(documentId, (mass.get(documentId) ?? 0) + discount);
    for (const word of new Set([...text.capitals, ...title.capitals])) {
      if (questionWords.has(word)) continue;
      const byLane = discounts.get(word) ?? new Map<number, number>();
      byLane.set(lanes[index]!, Math.max(byLane.get(lanes[index]!) ?? 0, discount));
      discounts.set(word, byLane);
    }
  }
  const weights = scaled(
    new Map(
      Array.from(discounts, ([word, byLane]) => [
        word,
        [...byLane.values()].reduce((sum, discount) => sum + discount, 0),
      ]),
    ),
  );
  return {
    weights,
    features: {
      ...heaviestBridges(view, weights),
      'rank discounts of its document': columnOf(
        candidates,
        ({ documentId }) => mass.get(documentId) ?? 0,
      ),
    },
  };
}

/** Returns the greatest weight among the capitalised words of each candidate and of its title. */
function heaviestBridges(
  { candidates, vocabulary }: QuestionView,
  weights: ReadonlyMap<string, number>,
): Features {
  const byPlace = [0, ...weights.values()];
  return vocabulary.withPlaces([...weights.keys()], places => {
    const heaviest = ({ capitalNumbers }: TextWords): number => {
      let most = 0;
      for (const number of capitalNumbers) most = Math.max(most, byPlace[places[number]!]!);
      return most;
    };
    return {
      'bridge in it': columnOf(candidates, ({ text }) => heaviest(text)),
      'bridge in the title': columnOf(candidates, ({ title }) => heaviest(title)),
    };
  });
}

function scaled(weights: ReadonlyMap<string, number>): Map<string, number> {
  const most = [...weights.values()].reduce((top, weight) => Math.max(top, weight), 0);
  return new Map(Array.from(weights, ([word, weight]) => [word, weight / most]));
}

function wordsOf(text: string): Set<string> {
  const lower = text.toLowerCase();
  return new Set([...wordsIn(lower), ...capitalisedWords(text)]);
}
