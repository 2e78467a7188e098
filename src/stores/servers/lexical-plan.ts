/** Weighs the terms of a query by BM25, for a server that only multiplies and adds. */

import { InputError } from '../../core/errors.ts';
import { parseName } from '../../core/naming/name.ts';
import type { Weighing } from '../../search/indexes/lexical/scorer.ts';
import { scorers } from '../../search/indexes/lexical/scorers.ts';
import { queryTerms, type WordTerm } from './terms.ts';

/** Counts of the live items of a unit. */
export interface UnitCounts {
  readonly items: number;
  /** Number of terms, counted with repetition. */
  readonly terms: number;
}

/** Settings of `bm25`. */
export interface Bm25 {
  /** Canonical name. */
  readonly name: string;
  readonly k1: number;
  readonly b: number;
}

/** Scorers that a server serves if it is not told others; the first is its default. */
export const USUAL_SCORERS: readonly string[] = ['bm25', 'bm25(stop=english)'];

/** Reads the settings of a scorer. Throws `InputError('missing-capability')` for another family. */
export function bm25Of(scorer: string): Bm25 {
  const name = scorers.canonical(scorer);
  const parsed = parseName(name);
  if (parsed.name !== 'bm25')
    throw new InputError('missing-capability', `The scorer "${scorer}" on a server`, {
      expected: 'bm25(...)',
      received: name,
    });
  const setting = (key: string, usual: number): number => {
    const value = parsed.args.find(arg => arg.key === key)?.value;
    return value === undefined ? usual : Number(typeof value === 'object' ? value.name : value);
  };
  return { name, k1: setting('k1', 1.5), b: setting('b', 0.75) };
}

/**
 * A term of a query; its contribution is `above + idf · tf · (k1 + 1) / (tf + norm)`, where `above`
 * is 0 except for identifiers.
 */
export interface PlannedTerm {
  readonly word: string;
  readonly idf: number;
  readonly above: number;
  /** Its idf as a part of the idf that its frequency gives. */
  readonly factor: number;
  /** Number of items that hold it. */
  readonly frequency: number;
}

export interface LexicalPlan extends Bm25 {
  /** Mean number of terms; the norm is `k1 · (1 - b + (b · length) / average)`. */
  readonly average: number;
  readonly weighing: Weighing;
}

/** Prepares a scorer for the counts of a unit. */
export function lexicalPlan(scorer: Bm25, { items, terms }: UnitCounts): LexicalPlan {
  const weighing = scorers.create(scorer.name).prepare({
    views: [],
    size: items,
    total: terms,
    *frequencies() {
      yield 0;
      return new Uint32Array();
    },
  });
  return { ...scorer, average: terms === 0 ? 1 : terms / items, weighing };
}

export { queryTerms };

/**
 * Returns the terms that contribute, in the order of the query, which is that of additions.
 * `frequencyOf` tells how many items hold a word.
 */
export function plannedTerms(
  terms: readonly WordTerm[],
  { weighing }: LexicalPlan,
  frequencyOf: (word: string) => number,
): PlannedTerm[] {
  for (const term of terms) term.frequency = frequencyOf(term.word);
  weighing.weigh(terms);
  return terms
    .filter(({ weight }) => weight > 0)
    .map(({ word, idf, weight, frequency }) => {
      const factor = idf / weighing.idf(frequency);
      return { word, idf, above: weight - 1, factor, frequency };
    });
}
