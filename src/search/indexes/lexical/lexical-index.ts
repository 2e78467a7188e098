/** Builds and searches a lexical index over all items of a collection: one segment. */

import type { ScoredItem } from '../../../core/ranking/top.ts';
import type { SearchMode } from '../../../core/search-mode.ts';
import type { Explanation } from '../explanation.ts';
import { LexicalCollection } from './collection.ts';
import type { Analysis, LexicalItem } from './item.ts';
import type { Scorer } from './scorer.ts';
import { LexicalSegment } from './segment.ts';
import { SegmentView } from './segment-view.ts';
import type { Packed } from './stored.ts';

export type { Analysis, LexicalItem, Packed, ScoredItem, SearchMode };

export interface LexicalQuery {
  readonly text: string;
  /** True if somebody typed the text to search, so that its spelling counts. */
  readonly typed?: boolean;
  /** One byte per item, 1 if the item may be returned; applied before top-k. */
  readonly allowed?: Uint8Array;
}

export class LexicalIndex {
  readonly segment: LexicalSegment;
  private readonly collection: LexicalCollection;

  constructor(segment: LexicalSegment) {
    this.segment = segment;
    const view = new SegmentView(segment);
    this.collection = new LexicalCollection(segment.analysis, [{ view, idOf: String }]);
  }

  /**
   * Builds an index. Throws `InputError('unsorted-items')` unless the ids ascend by UTF-16 code
   * units without duplicates.
   */
  static build(
    items: readonly LexicalItem[],
    analysis: Analysis,
    mode: SearchMode = 'auto',
  ): LexicalIndex {
    return new LexicalIndex(LexicalSegment.build(items, analysis, mode));
  }

  /** Restores an index from the result of `pack`, using the arrays in place. */
  static unpack(packed: Packed, mode: SearchMode = 'auto'): LexicalIndex {
    return new LexicalIndex(LexicalSegment.unpack(packed, mode));
  }

  get analysis(): Analysis {
    return this.segment.analysis;
  }

  /** The number of items. */
  get size(): number {
    return this.segment.size;
  }

  /** Returns the bytes of the index for storage; the arrays are views, not copies. */
  pack(): Packed {
    return this.segment.pack();
  }

  /** Bytes of typed arrays held now, including compiled scorers. */
  get bytes(): number {
    return this.segment.bytes;
  }

  /**
   * Returns the best k items of each query, score descending, then item ascending. Items that score
   * 0 are not returned.
   */
  search(queries: readonly LexicalQuery[], k: number, scorer: Scorer): ScoredItem[][] {
    const prepared = queries.map(({ text, typed, allowed }) =>
      allowed ? { text, typed, allowed: [allowed] } : { text, typed },
    );
    return this.collection.search(prepared, k, scorer, (_, item, score) => ({ item, score }));
  }

  /** Explains the score of an item; the value is the score of `search`, or 0. */
  explain(query: string, item: number, scorer: Scorer): Explanation {
    return this.collection.explain({ text: query }, 0, item, scorer);
  }
}
