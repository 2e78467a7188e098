/** Defines the view of a question and its candidates from which features are computed. */
import type { TextWords, Vocabulary } from './text-words.ts';

/** A sentence (or another ranked text), with the title and header of its document. */
export interface Candidate {
  readonly documentId: string;
  readonly text: TextWords;
  readonly title: TextWords;
  /** Title, source and day, as a context prints them. */
  readonly header: TextWords;
}

/**
 * One row for each lane, one score for each candidate; lane 0 is the whole question. Scores are
 * scaled per lane: 1 for the best score among the documents that the question names, 0 for no score
 * or the lowest hit; clamped to -5 to 5.
 */
export type LaneScores = readonly Float64Array[];

export interface QuestionView {
  /** The whole question, then its clauses; the question alone if it has none. */
  readonly lanes: readonly string[];
  readonly candidates: readonly Candidate[];
  /** Numbers the words of all candidates. */
  readonly vocabulary: Vocabulary;
  /** Scores by words, of the candidates. */
  readonly words: LaneScores;
  /** Scores by vectors, of the candidates; zeros if the run has no vectors. */
  readonly vectors: LaneScores;
  /** Scores by words, of the candidates' documents. */
  readonly documents: LaneScores;
  /** 1 if the lane names the document's source, 0 if it names others, 1/2 if it names none. */
  readonly own: LaneScores;
  /** The same as `own`, for the whole question. */
  readonly source: Float64Array;
  /** The mean vector score of the candidates of the document, by lane and candidate. */
  readonly topics: LaneScores;
  /** 1 if the question names the document's day for its source, -1 if other days, 0 if none. */
  readonly day: Float64Array;
  /**
   * The score in a search for a name that another candidate mentions: 1 for the best hit of such a
   * search, 0 if none found it.
   */
  readonly named: Float64Array;
  /** Names in the question. */
  readonly names: readonly string[];
}

/**
 * Returns the first lane that a candidate can belong to: the first clause, or the whole question if
 * it has none.
 */
export const firstLane = ({ lanes }: Pick<QuestionView, 'lanes'>): number =>
  lanes.length > 1 ? 1 : 0;

/**
 * Scores each candidate for each lane without learnt weights: words and vectors count in full, the
 * document and the source half.
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

/** Returns the lane that each candidate fits best; the earliest of equals. */
export function bestLanes(view: QuestionView, fit: readonly Float64Array[]): Int32Array {
  const from = firstLane(view);
  const lanes = new Int32Array(view.candidates.length).fill(from);
  for (let at = 0; at < lanes.length; at++)
    for (let lane = from + 1; lane < fit.length; lane++)
      if (fit[lane]![at]! > fit[lanes[at]!]![at]!) lanes[at] = lane;
  return lanes;
}
