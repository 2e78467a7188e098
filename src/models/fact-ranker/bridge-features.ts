/**
 * What the second stage sees beside the first: the names that the best candidates share and the
 * question leaves open (bridge entities).
 */
import { capitalisedWords } from '../../text/stems.ts';
import { wordRuns } from '../../text/words.ts';
import { type Features, voiceAt } from './features.ts';
import type { QuestionView } from './question-view.ts';
import { placesByNumber, type TextWords } from './text-words.ts';

/** How many of the best candidates speak. */
const SPEAKING = 20;

export interface Bridges {
  /**
   * Capitalised words that the question does not have, with their weight: the sum over lanes of
   * their best candidate's voice; 1 is the greatest.
   */
  readonly weights: ReadonlyMap<string, number>;
  readonly features: Features;
}

/** `scores`: of the stage before; `lanes`: the lane of each candidate. */
export function bridgesOf(view: QuestionView, scores: Float64Array, lanes: Int32Array): Bridges {
  const { candidates } = view;
  const order = Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const asked = wordsOf(view.lanes[0]!);
  const speaking = order.slice(0, SPEAKING);
  const voices = new Map<string, Map<number, number>>();
  const mass = new Map<string, number>();
  for (const [rank, index] of speaking.entries()) {
    const voice = voiceAt(rank);
    const { documentId, text, title } = candidates[index]!;
    mass.set(documentId, (mass.get(documentId) ?? 0) + voice);
    for (const word of new Set([...text.capitals, ...title.capitals])) {
      if (asked.has(word)) continue;
      const byLane = voices.get(word) ?? new Map<number, number>();
      byLane.set(lanes[index]!, Math.max(byLane.get(lanes[index]!) ?? 0, voice));
      voices.set(word, byLane);
    }
  }
  const weights = scaled(
    new Map(
      Array.from(voices, ([word, byLane]) => [
        word,
        [...byLane.values()].reduce((sum, voice) => sum + voice, 0),
      ]),
    ),
  );
  const heaviest = heaviestOf(weights);
  return {
    weights,
    features: {
      'bridge in it': Float64Array.from(candidates.map(({ text }) => heaviest(text))),
      'bridge in the title': Float64Array.from(candidates.map(({ title }) => heaviest(title))),
      'voices of its document': Float64Array.from(
        candidates.map(({ documentId }) => mass.get(documentId) ?? 0),
      ),
    },
  };
}

/** The weight of the heaviest word that a text has. */
function heaviestOf(weights: ReadonlyMap<string, number>): (text: TextWords) => number {
  const places = placesByNumber([...weights.keys()]);
  const byPlace = [0, ...weights.values()];
  return ({ capitalNumbers }) => {
    let most = 0;
    for (const number of capitalNumbers) most = Math.max(most, byPlace[places[number]!]!);
    return most;
  };
}

function scaled(weights: ReadonlyMap<string, number>): Map<string, number> {
  const most = [...weights.values()].reduce((top, weight) => Math.max(top, weight), 0);
  return new Map(Array.from(weights, ([word, weight]) => [word, weight / most]));
}

function wordsOf(text: string): Set<string> {
  const lower = text.toLowerCase();
  return new Set([
    ...Array.from(wordRuns(lower), ([start, end]) => lower.slice(start, end)),
    ...capitalisedWords(text),
  ]);
}
