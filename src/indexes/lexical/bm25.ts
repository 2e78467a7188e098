/**
 * BM25 (Robertson and Zaragoza 2009, eq. 3.15) with Lucene's idf, over the unique terms of the
 * query.
 */
import { type Member, member } from '../../naming/family.ts';
import { documentFrequency, type Inverted } from './inverted.ts';
import type { Scorer, Weighing } from './scorer.ts';
import { stopTerms } from './stop-terms.ts';

/** idf(t) = ln(1 + (N - df + 0.5) / (df + 0.5)): never negative, as in Lucene's BM25Similarity. */
function inverseFrequency(size: number, frequency: number): number {
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
}

/**
 * The rarest term, as often as the longest item is long, in an item as short as the shortest:
 * contributions grow with tf and fall with length.
 */
function ceiling(lengths: Uint32Array, norms: Float64Array, idf: number, k1: number): number {
  let longest = 1;
  let least = Number.POSITIVE_INFINITY;
  for (let item = 0; item < lengths.length; item++) {
    if (lengths[item]! > longest) longest = lengths[item]!;
    if (norms[item]! < least) least = norms[item]!;
  }
  return idf * ((longest * (k1 + 1)) / (longest + least));
}

function prepare(inverted: Inverted, k1: number, b: number, stop: string): Weighing {
  const { size, lengths } = inverted;
  let total = 0;
  for (let item = 0; item < size; item++) total += lengths[item]!;
  const average = total === 0 ? 1 : total / size;
  const norms = new Float64Array(size);
  for (let item = 0; item < size; item++)
    norms[item] = k1 * (1 - b + (b * lengths[item]!) / average);
  const stopped = stop === 'english' ? stopTerms(inverted.dictionary, 'plain') : new Set<number>();
  const contribution = (_weight: number, idf: number, frequency: number, item: number): number =>
    idf * ((frequency * (k1 + 1)) / (frequency + norms[item]!));
  const idfOf = (term: number): number =>
    stopped.has(term) ? 0 : inverseFrequency(size, documentFrequency(inverted, term));
  return {
    compilable: true,
    idf: idfOf,
    ceiling: () => ceiling(lengths, norms, inverseFrequency(size, 1), k1),
    formula:
      'idf · tf · (k1 + 1) / (tf + k1 · (1 - b + b · length / average length)), idf = ln(1 + (N - df + 0.5) / (df + 0.5))',
    boosts: () => [],
    weigh: terms => {
      const kept = stopped.size === 0 ? terms : terms.filter(({ term }) => !stopped.has(term));
      return kept.map(({ term }) => ({ term, weight: 1, idf: idfOf(term) }));
    },
    contribution,
    factors: ({ term, idf }, frequency, item) => [
      { name: 'idf', value: idf },
      { name: 'tf', value: frequency },
      { name: 'df', value: documentFrequency(inverted, term) },
      { name: 'N', value: size },
      { name: 'length', value: lengths[item]! },
      { name: 'average length', value: average },
    ],
  };
}

export const bm25: Member<Scorer> = member({
  name: 'bm25',
  summary: 'BM25 with the idf of Lucene over title, text, source, author, category and day',
  paper: 'Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009',
  cost: 'one search',
  parameters: [
    {
      name: 'k1',
      type: 'number',
      default: 1.5,
      min: 0,
      max: 1000,
      summary: 'how slowly repeated terms saturate',
    },
    {
      name: 'b',
      type: 'number',
      default: 0.75,
      min: 0,
      max: 1,
      summary: 'how far long items are discounted',
    },
    {
      name: 'stop',
      type: 'text',
      default: 'none',
      choices: ['none', 'english'],
      summary: "stop words that are dropped from the query; English is scikit-learn's list",
    },
  ],
  create: ({ k1, b, stop }, name) => ({
    name,
    analysis: 'plain',
    prepare: inverted => prepare(inverted, k1 as number, b as number, stop as string),
  }),
});
