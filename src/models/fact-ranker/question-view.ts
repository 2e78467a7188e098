/** What is known of a question and of the sentences that were found for it, from which features are computed. */

import type { TextWords } from './text-words.ts';

/** A sentence (or whatever is ranked) and what stands around it. */
export interface Candidate {
  readonly documentId: string;
  readonly text: TextWords;
  readonly title: TextWords;
  /** Title, source and day, as a context prints them. */
  readonly header: TextWords;
}

/** Scores are rows of candidates, one row a lane; lane 0 is the whole question. 1 is the best score of the lane among the documents that the question names, 0 no score or that of the deepest hit; from -5 to 5. */
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
  /** 1 where the lane names the source of the candidate's document, 0 where it names others, 1/2 where it names none. */
  readonly own: LaneScores;
  /** The same of the whole question. */
  readonly source: Float64Array;
  /** 1: of a day that the question names for this source; -1: it names other days for it; 0: none. */
  readonly day: Float64Array;
  /** Names in the question. */
  readonly names: readonly string[];
}

/** Lanes that a candidate can belong to: the clauses, or the whole question where there are none. */
export const firstLane = ({ lanes }: Pick<QuestionView, 'lanes'>): number => (lanes.length > 1 ? 1 : 0);

/** How well each candidate fits each lane, before anything is learnt: words and vectors alike, the document and the source half as much. */
export function laneFit({ lanes, candidates, words, vectors, documents, own }: QuestionView): Float64Array[] {
  return lanes.map((_, lane) =>
    Float64Array.from(candidates, (_, at) => words[lane]![at]! + vectors[lane]![at]! + (documents[lane]![at]! + own[lane]![at]!) / 2),
  );
}

/** The lane that each candidate fits best; the earliest of equals. */
export function bestLanes(view: QuestionView, fit: readonly Float64Array[]): Int32Array {
  const from = firstLane(view);
  return Int32Array.from(view.candidates, (_, at) => {
    let best = from;
    for (let lane = from + 1; lane < fit.length; lane++) if (fit[lane]![at]! > fit[best]![at]!) best = lane;
    return best;
  });
}
