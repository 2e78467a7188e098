/** Holds what the searches of `fact-lanes` found: best scores, and hits of names. */
import type { Ranking } from '../../core/ranking/ranking.ts';

/** Hits of a search for a name alone, and the sentence that introduces the name. */
export interface NameHits {
  /** Words of the name as `padded` gives them. */
  readonly words: string;
  readonly hits: Ranking;
  /** Rank of that sentence when the name was searched, from 0. */
  readonly rank: number;
  readonly documentId: string;
}

/** The best score of each sentence in some searches, by the number of the sentence. */
export class FoundScores {
  private readonly scores: number[] = [];

  add(number: number, score: number): void {
    const { scores } = this;
    while (scores.length <= number) scores.push(Number.NEGATIVE_INFINITY);
    if (score > scores[number]!) scores[number] = score;
  }

  /** Returns the lowest score, at most 0. */
  floor(): number {
    let floor = 0;
    for (const score of this.scores)
      if (score < floor && score !== Number.NEGATIVE_INFINITY) floor = score;
    return floor;
  }

  /** Returns the scores of the first `size` sentences, each at least `floor`. */
  upTo(size: number, floor: number): Float64Array {
    const row = new Float64Array(size).fill(floor);
    const { scores } = this;
    for (let at = 0; at < size && at < scores.length; at++)
      if (scores[at]! > floor) row[at] = scores[at]!;
    return row;
  }
}
