/**
 * Defines S1, the scorer of the budgeted-agent paper: cosine of sublinear TF-IDF plus boosts for
 * metadata that the query mentions (docs/papers/budgeted-agent.md).
 */

import { type Member, member } from '../../../core/naming/family.ts';
import { finish } from '../../../core/steps.ts';
import type { FactColumn } from './facts.ts';
import { BLOCK_BITS, frequencyAt } from './inverted.ts';
import type { BoostedFact } from './item.ts';
import type { QueryTerm } from './query.ts';
import type { Boost, Collection, Scorer, Weighing } from './scorer.ts';

import type { SegmentContents, SegmentView } from './segment-view.ts';

const BOOSTS: Readonly<Record<BoostedFact, number>> = { source: 0.12, category: 0.03, day: 0.1 };

/** Returns 1 + ln tf. */
const sublinear = (frequency: number): number => 1 + Math.log(frequency);

/** Returns ln((1 + N) / (1 + df)) + 1. */
const smoothFrequency = (size: number, frequency: number): number =>
  Math.log((1 + size) / (1 + frequency)) + 1;

/** Rounds a float64 of at most 2^31 to a multiple of 2^-20 when it is added and subtracted. */
const TO_GRID = 1.5 * 2 ** 32;

/**
 * Returns the L2 norm of every item's vector: the square root of the sum of squares, rounded once.
 * A square is at least 1, so a multiple of 2^-52; its multiple of 2^-20 and the rest are added
 * separately, each exactly, so that the order of terms does not matter.
 */
function norms({ inverted }: SegmentContents, idfs: Float64Array): Float64Array {
  const coarse = new Float64Array(inverted.size);
  const fine = new Float64Array(inverted.size);
  for (let block = 0; block < inverted.blocks; block++) {
    const row = block * (inverted.terms + 1);
    const { offsets, terms } = inverted;
    const { base, items, frequencies } = inverted.postings(offsets[row]!, offsets[row + terms]!);
    for (let term = 0; term < terms; term++) {
      for (let at = offsets[row + term]! - base; at < offsets[row + term + 1]! - base; at++) {
        const frequency = frequencyAt(inverted, base + at, frequencies[at]!);
        const weight = sublinear(frequency) * idfs[term]!;
        const square = weight * weight;
        const rounded = square + TO_GRID - TO_GRID;
        const item = (block << BLOCK_BITS) + items[at]!;
        coarse[item]! += rounded;
        fine[item]! += square - rounded;
      }
    }
  }
  return coarse.map((sum, item) => Math.sqrt(sum + fine[item]!));
}

function weigh(terms: readonly QueryTerm[], size: number): void {
  let sum = 0;
  for (const term of terms) {
    if (term.frequency === 0) continue;
    term.idf = smoothFrequency(size, term.frequency);
    sum += (sublinear(term.count) * term.idf) ** 2;
  }
  const norm = Math.sqrt(sum);
  for (const term of terms)
    if (term.idf > 0) term.weight = (sublinear(term.count) * term.idf) / norm;
}

/** Boosts a value that occurs anywhere in the query, ignoring case, also inside a word. */
function boosts(query: string, facts: readonly FactColumn[]): Boost[] {
  const lower = query.toLowerCase();
  const matches: Boost[] = [];
  for (const column of facts) {
    const codes = new Uint8Array(column.values.length + 1);
    let any = false;
    for (let value = 0; value < column.values.length; value++) {
      if (!lower.includes(column.values[value]!.toLowerCase())) continue;
      codes[value + 1] = 1;
      any = true;
    }
    if (any) matches.push({ column, codes, value: BOOSTS[column.fact] });
  }
  return matches;
}

function prepare(collection: Collection): Weighing {
  const { size } = collection;
  const known = new Map<SegmentView, Float64Array>();
  const normsOf = (view: SegmentView): Float64Array => {
    let lengths = known.get(view);
    if (!lengths) {
      const idfs = Float64Array.from(finish(collection.frequencies(view)), frequency =>
        smoothFrequency(size, frequency),
      );
      known.set(view, (lengths = norms(view.segment, idfs)));
    }
    return lengths;
  };
  return {
    idf: frequency => smoothFrequency(size, frequency),
    formula: () => '(1 + ln tf) · idf / |item| · query weight, idf = ln((1 + N) / (1 + df)) + 1',
    boosts,
    weigh: terms => weigh(terms, size),
    norms: view => {
      const lengths = normsOf(view);
      return item => lengths[item]!;
    },
    contribution: (weight, idf, frequency, norm) => weight * ((sublinear(frequency) * idf) / norm),
    // A term's share of an item's vector of length 1 is at most 1.
    bound: weight => weight * (1 + 1e-9),
    factors: (term, frequency, item, view) => [
      { name: 'idf', value: term.idf },
      { name: 'tf', value: frequency },
      { name: 'df', value: term.documentFrequency },
      { name: 'N', value: size },
      { name: '|item|', value: normsOf(view)[item]! },
      { name: 'query weight', value: term.weight },
    ],
  };
}

export const s1: Member<Scorer> = member({
  name: 's1',
  summary:
    'the budgeted-agent paper: sublinear TF-IDF with field weights, a stop list and metadata boosts',
  cost: 'one search',
  create: (_settings, name) => ({ name, analysis: 's1', prepare }),
});
