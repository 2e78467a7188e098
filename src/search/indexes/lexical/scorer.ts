/**
 * Defines lexical scorers: formulas for a term's contribution to an item's score. A new scorer is
 * one file with a `Member<Scorer>`.
 */

import type { Steps } from '../../../core/steps.ts';
import type { Explanation } from '../explanation.ts';
import type { FactColumn } from './facts.ts';
import type { Analysis } from './item.ts';
import type { QueryTerm } from './query.ts';
import type { SegmentView } from './segment-view.ts';

/**
 * The statistics of a collection: sums of integers over its segments, so that they do not depend
 * on how the items are divided into segments.
 */
export interface Collection {
  readonly views: readonly SegmentView[];
  /** Number of live items. */
  readonly size: number;
  /** Number of terms in live items, counted with repetition. */
  readonly total: number;
  /** Returns the number of live items that hold each term of a segment, in steps. */
  frequencies(view: SegmentView): Steps<Uint32Array>;
}

/** A term that contributes to the score, by its number in one segment. */
export interface WeighedTerm {
  readonly term: number;
  /**
   * The query's factor of a contribution; for BM25 1, and what the term contributes above its BM25
   * in every item that holds it.
   */
  readonly weight: number;
  readonly idf: number;
  /** The idf that the term's frequency gives. */
  readonly fullIdf: number;
  /** True if the idf is less than half of what the term's frequency gives. */
  readonly isLow: boolean;
}

/**
 * A scorer bound to the statistics of a collection. An item's score is the float64 sum of the
 * contributions of the query's terms in order of first appearance in the query, then of the boosts
 * in their order: the order is part of the definition, since float64 sums depend on it.
 */
export interface Weighing {
  /** Sets the weight and the idf of the terms that contribute. */
  weigh(terms: readonly QueryTerm[]): void;
  /** Returns the idf of a term that so many live items hold. */
  idf(frequency: number): number;
  /** Returns the length norms of a segment's items. */
  norms(view: SegmentView): (item: number) => number;
  /**
   * Returns the contribution, greater than 0, of a term to an item that holds it `frequency` times.
   */
  contribution(weight: number, idf: number, frequency: number, norm: number): number;
  /** Returns an upper bound of the term's contribution to any item. */
  bound(weight: number, idf: number): number;
  /** Present if contributions are the same for every query, so that postings can hold them. */
  readonly compilable?: Compilable;
  /** Returns the boosts of a segment's items by the query's text, in order. */
  boosts(query: string, facts: readonly FactColumn[]): readonly Boost[];
  /** Returns the formula of the contribution of a term of such a weight. */
  formula(weight: number): string;
  /** Returns the factors of a contribution. */
  factors(
    term: WeighedTerm & { readonly documentFrequency: number },
    frequency: number,
    item: number,
    view: SegmentView,
  ): readonly Explanation[];
}

/**
 * Properties of scorers whose terms all have the weight 1, without boosts, and whose norms are
 * inverse to the average length.
 */
export interface Compilable {
  /**
   * Returns an upper bound, greater than 0, of any term's contribution to any item of a segment.
   */
  ceiling(view: SegmentView): number;
  readonly average: number;
}

/** Adds `value` to every item whose code in the column is one of `codes` (1 at the code). */
export interface Boost {
  readonly column: FactColumn;
  readonly codes: Uint8Array;
  readonly value: number;
}

export interface Scorer {
  /** Canonical name with settings. */
  readonly name: string;
  /** The analysis of the segments that it searches. */
  readonly analysis: Analysis;
  prepare(collection: Collection): Weighing;
}
