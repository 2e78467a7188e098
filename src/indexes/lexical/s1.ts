/**
 * The budgeted-agent paper's scorer, profile S1: cosine of sublinear TF-IDF plus boosts for
 * metadata that the query mentions (budgeted-agent.md 3.2).
 */
import { type Member, member } from '../../naming/family.ts';
import type { FactColumn } from './facts.ts';
import { documentFrequency, frequencyAt, type Inverted, SEGMENT_BITS } from './inverted.ts';
import type { BoostedFact } from './item.ts';
import type { Boost, QueryTerm, Scorer, WeighedTerm, Weighing } from './scorer.ts';

const BOOSTS: Readonly<Record<BoostedFact, number>> = { source: 0.12, category: 0.03, day: 0.1 };

/** 1 + ln tf */
const sublinear = (frequency: number): number => 1 + Math.log(frequency);

/** ln((1 + N) / (1 + df)) + 1 of every term, 0 for terms in no item. */
function smoothFrequencies(inverted: Inverted): Float64Array {
  const idfs = new Float64Array(inverted.terms);
  for (let term = 0; term < inverted.terms; term++) {
    const df = documentFrequency(inverted, term);
    if (df > 0) idfs[term] = Math.log((1 + inverted.size) / (1 + df)) + 1;
  }
  return idfs;
}

/** The L2 norm of every item's vector, summed in the order of the vocabulary. */
function norms(inverted: Inverted, idfs: Float64Array): Float64Array {
  const sums = new Float64Array(inverted.size);
  for (let segment = 0; segment < inverted.segments; segment++) {
    const row = segment * (inverted.terms + 1);
    for (let term = 0; term < inverted.terms; term++) {
      for (let at = inverted.offsets[row + term]!; at < inverted.offsets[row + term + 1]!; at++) {
        const weight = sublinear(frequencyAt(inverted, at)) * idfs[term]!;
        sums[(segment << SEGMENT_BITS) + inverted.items[at]!]! += weight * weight;
      }
    }
  }
  return sums.map(Math.sqrt);
}

function weighQuery(terms: readonly QueryTerm[], idfs: Float64Array): WeighedTerm[] {
  const known = terms.filter(({ term }) => idfs[term]! > 0);
  let sum = 0;
  for (const { term, count } of known) sum += (sublinear(count) * idfs[term]!) ** 2;
  const norm = Math.sqrt(sum);
  return known.map(({ term, count }) => ({
    term,
    weight: (sublinear(count) * idfs[term]!) / norm,
    idf: idfs[term]!,
  }));
}

/**
 * A value is boosted when it stands anywhere in the query, whatever its case, inside a word too.
 */
function boosts(query: string, facts: readonly FactColumn[]): Boost[] {
  const lower = query.toLowerCase();
  const found: Boost[] = [];
  for (const column of facts) {
    const codes = new Uint8Array(column.values.length + 1);
    let any = false;
    for (let value = 0; value < column.values.length; value++) {
      if (!lower.includes(column.values[value]!.toLowerCase())) continue;
      codes[value + 1] = 1;
      any = true;
    }
    if (any) found.push({ column, codes, value: BOOSTS[column.fact] });
  }
  return found;
}

function prepare(inverted: Inverted, facts: readonly FactColumn[]): Weighing {
  const idfs = smoothFrequencies(inverted);
  const lengths = norms(inverted, idfs);
  return {
    compilable: false,
    idf: term => idfs[term]!,
    ceiling: () => Number.POSITIVE_INFINITY,
    formula: '(1 + ln tf) · idf / |item| · query weight, idf = ln((1 + N) / (1 + df)) + 1',
    boosts: query => boosts(query, facts),
    weigh: terms => weighQuery(terms, idfs),
    contribution: (weight, idf, frequency, item) =>
      weight * ((sublinear(frequency) * idf) / lengths[item]!),
    factors: ({ term, weight, idf }, frequency, item) => [
      { name: 'idf', value: idf },
      { name: 'tf', value: frequency },
      { name: 'df', value: documentFrequency(inverted, term) },
      { name: 'N', value: inverted.size },
      { name: '|item|', value: lengths[item]! },
      { name: 'query weight', value: weight },
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
