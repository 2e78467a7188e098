/** Collects the passages that searches of `fact-lanes` find, each once. */
import type { Hit } from '../../core/ranking/ranking.ts';
import type { Search, SearchRef } from '../../core/trace/trace.ts';

export interface FoundPassage {
  readonly hit: Hit;
  /** The search that found it first. */
  readonly search: SearchRef;
  /** The lane in which it scores best, and that score as a share of the lane's best. */
  readonly lane: number;
  readonly words: number;
}

export class FoundPassages {
  private readonly byId = new Map<string, FoundPassage>();

  /** In the order in which they were found. */
  get all(): readonly FoundPassage[] {
    return [...this.byId.values()];
  }

  /** Adds the hits of one lane; those of a search by content words alone have no score by words. */
  add(
    { hits }: Pick<Search, 'hits'>,
    search: SearchRef,
    lane: number,
    by: 'words' | 'content',
  ): void {
    const best = hits[0]?.score ?? 0;
    for (const hit of hits) {
      const share = best > 0 ? hit.score / best : 0;
      const known = this.byId.get(hit.id) ?? { hit, search, lane, words: 0 };
      if (by === 'words' && share > known.words)
        this.byId.set(hit.id, { ...known, lane, words: share });
      else if (!this.byId.has(hit.id)) this.byId.set(hit.id, known);
    }
  }
}
