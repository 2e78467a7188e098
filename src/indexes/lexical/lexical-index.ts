/** A lexical index over all items of a collection, built at once: one segment. */
import type { Explanation } from '../explanation.ts';
import type { SearchMode } from '../search-mode.ts';
import type { ScoredItem } from '../top.ts';
import { LexicalCollection } from './collection.ts';
import type { Analysis, LexicalItem } from './item.ts';
import type { Scorer } from './scorer.ts';
import { LexicalSegment } from './segment.ts';
import { SegmentView } from './segment-view.ts';
import type { Packed } from './stored.ts';

export type { Analysis, LexicalItem, Packed, ScoredItem, SearchMode };

export interface LexicalQuery {
  readonly text: string;
  /** 1 where the item may be returned, one byte an item. Applied before top-k. */
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
   * Throws `InputError('unsorted-items')` unless the ids ascend by UTF-16 code units, each once.
   */
  static build(
    items: readonly LexicalItem[],
    analysis: Analysis,
    mode: SearchMode = 'auto',
  ): LexicalIndex {
    return new LexicalIndex(LexicalSegment.build(items, analysis, mode));
  }

  /** Opens what `pack` returned. The arrays are used as they are, without a copy. */
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

  /** The bytes of typed arrays held now, those of compiled scorers included. */
  get bytes(): number {
    return this.segment.bytes;
  }

  /**
   * Returns the best k items of each query, score descending, then item ascending. Items that score
   * 0 are not returned.
   */
  search(queries: readonly LexicalQuery[], k: number, scorer: Scorer): ScoredItem[][] {
    const asked = queries.map(({ text, allowed }) =>
      allowed ? { text, allowed: [allowed] } : { text },
    );
    return this.collection
      .search(asked, k, scorer)
      .map(found => found.map(({ item, score }) => ({ item, score })));
  }

  /** Explains the score of an item; the value is the score of `search`, or 0. */
  explain(query: string, item: number, scorer: Scorer): Explanation {
    return this.collection.explain(query, 0, item, scorer);
  }
}
