/** Merges the rankings of a question and of its thoughts: a passage has the greatest score. */
import { scaled } from '../../core/ranking/fusion.ts';
import { compareHits } from '../../core/ranking/ranking.ts';
import type { Search } from '../../core/trace/trace.ts';
import type { Placed, PlacedHit } from '../chosen-again.ts';

/** A walk and its weight beside the search of the same text. */
export interface Walked extends Placed {
  readonly weight: number;
}

/** A passage with its best score, and the search that it is kept from. */
export interface Pooled extends PlacedHit {
  readonly score: number;
}

export class RankingPool {
  private readonly passages = new Map<string, Pooled>();
  private readonly fromZero: boolean;

  /** `fromZero`: the least score of a walk counts as 0, not as the least that it returned. */
  constructor(fromZero: boolean) {
    this.fromZero = fromZero;
  }

  /** Adds both rankings of one text, blended; a passage keeps the greatest of its scores. */
  add(found: Placed, walked: Walked | undefined): void {
    const scores = new Map<string, number>();
    const weight = walked?.weight ?? 0;
    const blend = ({ hits }: Search, share: number, fromZero: boolean): void => {
      for (const [at, part] of scaled(hits, fromZero ? 0 : undefined).entries())
        scores.set(hits[at]!.id, (scores.get(hits[at]!.id) ?? 0) + share * part);
    };
    blend(found.search, 1 - weight, false);
    if (walked) blend(walked.search, weight, this.fromZero);
    for (const { search, ref } of walked ? [found, walked] : [found])
      for (const hit of search.hits) {
        const score = scores.get(hit.id)!;
        if (score > (this.passages.get(hit.id)?.score ?? Number.NEGATIVE_INFINITY))
          this.passages.set(hit.id, { hit, score, search, ref });
      }
  }

  /** Returns the best passages, at most `k`, the first of equals by id. */
  best(k: number = this.passages.size): Pooled[] {
    return [...this.passages.values()]
      .sort((a, b) =>
        compareHits({ id: a.hit.id, score: a.score }, { id: b.hit.id, score: b.score }),
      )
      .slice(0, k);
  }
}
