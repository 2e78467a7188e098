/**
 * What a lexical scorer is: a formula for what one term adds to an item's score. A new scorer is
 * one file with a `Member<Scorer>`.
 */
import type { Explanation } from '../explanation.ts';
import type { FactColumn } from './facts.ts';
import type { Inverted } from './inverted.ts';
import type { Analysis } from './item.ts';

/** A term of the query that the index knows, and how often the query holds it. */
export interface QueryTerm {
  readonly term: number;
  readonly count: number;
}

/** A term that takes part in the score. `weight` is the query's side of it. */
export interface WeighedTerm {
  readonly term: number;
  readonly weight: number;
  readonly idf: number;
}

/**
 * A scorer made ready for one index. An item's score is the float64 sum of the contributions of the
 * query's terms in order of their first appearance in the query, then of the boosts in their order:
 * the order is part of the definition, since float64 sums depend on it.
 */
export interface Weighing {
  /** The terms that count, in the order given. */
  weigh(terms: readonly QueryTerm[]): readonly WeighedTerm[];
  /** The idf of a term; 0 when the scorer drops it. */
  idf(term: number): number;
  /** At least as much as any term adds to any item, greater than 0. For `compilable` scorers. */
  ceiling(): number;
  /** What a term adds to an item that holds it `frequency` times (at least 1). Greater than 0. */
  contribution(weight: number, idf: number, frequency: number, item: number): number;
  /**
   * Every term weighs 1 and there are no boosts: contributions are the same for every query and may
   * be compiled.
   */
  readonly compilable: boolean;
  /** What the query's text adds to items, in order; empty when nothing. */
  boosts(query: string): readonly Boost[];
  /** The numbers behind a contribution, for people. */
  readonly formula: string;
  factors(weighed: WeighedTerm, frequency: number, item: number): readonly Explanation[];
}

/** Adds `value` to every item whose code in the column is one of `codes` (1 at the code). */
export interface Boost {
  readonly column: FactColumn;
  readonly codes: Uint8Array;
  readonly value: number;
}

export interface Scorer {
  /** Canonical. */
  readonly name: string;
  /** The analysis of the index that it needs. */
  readonly analysis: Analysis;
  prepare(inverted: Inverted, facts: readonly FactColumn[]): Weighing;
}
