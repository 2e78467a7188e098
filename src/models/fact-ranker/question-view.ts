/**
 * What is known of a question and of the sentences that were found for it, from which features are
 * computed.
 */

import type { TextWords } from './text-words.ts';

/** A sentence (or whatever is ranked) and what stands around it. */
export interface Candidate {
  readonly documentId: string;
  readonly text: TextWords;
  readonly title: TextWords;
  /** Title, source and day, as a context prints them. */
  readonly header: TextWords;
}

/**
 * Scores are rows of candidates, one row a lane; lane 0 is the whole question. 1 is the best score
 * of the lane among the documents that the question names, 0 no score or that of the deepest hit;
 * from -5 to 5.
 */
export type LaneScores = readonly Float64Array[];

export interface QuestionView {
  /** The whole question, then its lanes; the question alone where it cannot be cut. */
  readonly lanes: readonly string[];
  readonly candidates: readonly Candidate[];
  /** By words, over the candidates themselves. */
  readonly words: LaneScores;
  /** By vectors, over the candidates themselves; zeros where there are none. */
  readonly vectors: LaneScores;
  /** By words, over the candidates' documents. */
  readonly documents: LaneScores;
  /**
   * 1 where the lane names the source of the candidate's document, 0 where it names others, 1/2
   * where it names none.
   */
  readonly own: LaneScores;
  /** The same of the whole question. */
  readonly source: Float64Array;
  /**
   * By lane, by candidate: how near the candidates of its document are to the lane in the vector
   * space, on the whole.
   */
  readonly topics: LaneScores;
  /**
   * 1: of a day that the question names for this source; -1: it names other days for it; 0: none.
   */
  readonly day: Float64Array;
  /**
   * How well it answers a search for a name that another candidate says: 1 is the best of such a
   * search, 0 no such search.
   */
  readonly named: Float64Array;
  /** Names in the question. */
  readonly names: readonly string[];
}

/**
 * Lanes that a candidate can belong to: the clauses, or the whole question where there are none.
 */
export const firstLane = ({ lanes }: Pick<QuestionView, 'lanes'>): number =>
  lanes.length > 1 ? 1 : 0;

/**
 * How well each candidate fits each lane, before anything is learnt: words and vectors alike, the
 * document and the source half as much.
 */
export function laneFit({
  lanes,
  candidates,
  words,
  vectors,
  documents,
  own,
}: QuestionView): Float64Array[] {
  return lanes.map((_, lane) => {
    const [word, vector, document, source] = [
      words[lane]!,
      vectors[lane]!,
      documents[lane]!,
      own[lane]!,
    ];
    const fit = new Float64Array(candidates.length);
    for (let at = 0; at < fit.length; at++)
      fit[at] = word[at]! + vector[at]! + (document[at]! + source[at]!) / 2;
    return fit;
  });
}

/** The lane that each candidate fits best; the earliest of equals. */
export function bestLanes(view: QuestionView, fit: readonly Float64Array[]): Int32Array {
  const from = firstLane(view);
  const lanes = new Int32Array(view.candidates.length).fill(from);
  for (let at = 0; at < lanes.length; at++)
    for (let lane = from + 1; lane < fit.length; lane++)
      if (fit[lane]![at]! > fit[lanes[at]!]![at]!) lanes[at] = lane;
  return lanes;
}
