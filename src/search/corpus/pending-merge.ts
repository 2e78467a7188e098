/**
 * Merges segments in steps while a corpus is in use: versions of the corpus share the merge
 * meanwhile, and the first version after its end takes the merged segment.
 */
import type { Steps } from '../../core/steps.ts';
import type { Cut } from './items.ts';
import { LiveSegment } from './live-segment.ts';
import { mergeLive, mergeWork } from './merge-live.ts';
import type { Segment } from './segment.ts';

export class PendingMerge {
  readonly sources: readonly LiveSegment[];
  private readonly steps: Steps<Segment>;
  /** Work for each document of the sources, as estimated at the start. */
  private readonly share: number;
  private merged: Segment | undefined;

  constructor(sources: readonly LiveSegment[], cut: Cut) {
    this.sources = sources;
    this.steps = mergeLive(sources, cut);
    this.share = mergeWork(sources) / sources.reduce((sum, { size }) => sum + size, 0);
  }

  /** Merges so many documents more, in whole steps. */
  advance(documents: number): void {
    for (let work = documents * this.share; work > 0 && this.merged === undefined; ) {
      const { done, value } = this.steps.next();
      if (done) this.merged = value;
      else work -= value;
    }
  }

  includes({ segment }: LiveSegment): boolean {
    return this.sources.some(source => source.segment === segment);
  }

  /**
   * Returns the segments with the merged one in the place of its sources, without documents that
   * were removed since the start; undefined before the end.
   */
  replaceIn(segments: readonly LiveSegment[]): LiveSegment[] | undefined {
    const { merged } = this;
    if (merged === undefined) return undefined;
    const live = new LiveSegment(merged).withoutIds(this.removedSince(segments));
    const others = segments.filter(segment => !this.includes(segment));
    return live.size > 0 ? [...others, live] : others;
  }

  private removedSince(segments: readonly LiveSegment[]): string[] {
    const removed: string[] = [];
    for (const source of this.sources) {
      const now = segments.find(({ segment }) => segment === source.segment);
      if (now === source) continue;
      for (const [position, { id }] of source.segment.documents.entries())
        if (source.isLive(position) && !now?.isLive(position)) removed.push(id);
    }
    return removed;
  }
}
