/**
 * Defines BM25 (Robertson and Zaragoza 2009, eq. 3.15) with Lucene's idf, over the distinct terms
 * of the query.
 */
import { type Member, member } from '../../../core/naming/family.ts';
import type { QueryTerm } from './query.ts';
import type { Collection, Scorer, Weighing } from './scorer.ts';
import type { SegmentView } from './segment-view.ts';
import { stopWordTest } from './stop-terms.ts';

/** Raises a bound above float64 rounding of a contribution. */
const ABOVE = 1 + 1e-9;

/** Returns ln(1 + (N - df + 0.5) / (df + 0.5)): never negative, as in Lucene's BM25Similarity. */
function inverseFrequency(size: number, frequency: number): number {
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
}

/** Returns k1 · (1 - b + b · length / average length). */
function normOf(length: number, average: number, k1: number, b: number): number {
  return k1 * (1 - b + (b * length) / average);
}

/**
 * Bounds the contributions in a segment: the rarest term, with the length of the longest item as
 * its frequency, in an item as short as the shortest. Contributions grow with tf and fall with
 * length.
 */
function ceiling(
  { segment: { inverted } }: SegmentView,
  average: number,
  idf: number,
  k1: number,
  b: number,
): number {
  const { lengths } = inverted;
  let longest = 1;
  let shortest = Number.POSITIVE_INFINITY;
  for (let item = 0; item < lengths.length; item++) {
    if (lengths[item]! > longest) longest = lengths[item]!;
    if (lengths[item]! < shortest) shortest = lengths[item]!;
  }
  return idf * ((longest * (k1 + 1)) / (longest + normOf(shortest, average, k1, b)));
}

function weigh(
  terms: readonly QueryTerm[],
  size: number,
  k1: number,
  isStopWord: ((term: QueryTerm) => boolean) | undefined,
): void {
  let [isPlain, hasStems] = [true, false];
  for (const term of terms) {
    if (term.like !== undefined || term.under !== undefined) isPlain = false;
    if (term.stem !== undefined) hasStems = true;
    if (term.frequency === 0 || isStopWord?.(term)) continue;
    term.weight = 1;
    term.idf = inverseFrequency(size, term.frequency);
  }
  if (!isPlain) weighSpellings(terms, k1);
  if (hasStems) weighStems(terms);
}

/**
 * Weighs the stems of a language by how far the query is in it: the mean, over its words, of the
 * part of the items with a word that have its stem. A stem counts the items of one language, its
 * word those of all: an English word that a single Spanish item has would seem to be rare.
 */
function weighStems(terms: readonly QueryTerm[]): void {
  const shares = new Map<string, { sum: number; words: number }>();
  for (const { stem, frequency } of terms)
    for (const word of stem?.of ?? []) {
      if (frequency === 0 && word.frequency === 0) continue;
      const share = shares.get(stem!.code) ?? { sum: 0, words: 0 };
      share.sum += Math.min(1, frequency / word.frequency);
      share.words++;
      shares.set(stem!.code, share);
    }
  for (const term of terms) {
    const share = term.stem && shares.get(term.stem.code);
    if (share) term.idf *= share.sum / share.words;
  }
}

/** Weighs terms of spellings by the words that they are like, and by those that they outweigh. */
function weighSpellings(terms: readonly QueryTerm[], k1: number): void {
  for (const term of terms)
    if (term.like && term.like.weight > 0) term.idf = Math.min(term.idf, term.like.idf);
  for (const term of outermostLast(terms))
    if (term.weight > 0)
      term.weight =
        1 + term.under!.reduce((sum, { weight, idf }) => sum + most(weight, idf, k1), 0);
}

/** Returns the most that a term contributes: `weight - 1` in each item, and a bound of BM25. */
const most = (weight: number, idf: number, k1: number): number =>
  weight === 0 ? 0 : weight - 1 + idf * (k1 + 1);

/** Terms that outweigh others, those that hold others of them last: they have more under them. */
const outermostLast = (terms: readonly QueryTerm[]): QueryTerm[] =>
  terms.filter(({ under }) => under).sort((a, b) => a.under!.length - b.under!.length);

const FORMULA =
  'idf · tf · (k1 + 1) / (tf + k1 · (1 - b + b · length / average length)), idf = ln(1 + (N - df + 0.5) / (df + 0.5))';

function prepare({ size, total }: Collection, k1: number, b: number, stop: string): Weighing {
  const average = total === 0 ? 1 : total / size;
  const isStopWord = stop === 'english' ? stopWordTest('plain') : undefined;
  return {
    compilable: {
      ceiling: view => ceiling(view, average, inverseFrequency(size, 1), k1, b),
      average,
    },
    idf: frequency => inverseFrequency(size, frequency),
    formula: weight => (weight === 1 ? FORMULA : `above its parts + ${FORMULA}`),
    boosts: () => [],
    weigh: terms => weigh(terms, size, k1, isStopWord),
    norms: ({ segment }) => {
      const { lengths } = segment.inverted;
      return item => k1 * (1 - b + (b * lengths[item]!) / average);
    },
    contribution: (weight, termIdf, frequency, norm) =>
      weight - 1 + termIdf * ((frequency * (k1 + 1)) / (frequency + norm)),
    bound: (weight, termIdf) => most(weight, termIdf, k1) * ABOVE,
    factors: (term, frequency, item, { segment }) => {
      const part = term.idf / inverseFrequency(size, term.documentFrequency);
      return [
        ...(term.weight === 1 ? [] : [{ name: 'above its parts', value: term.weight - 1 }]),
        { name: 'idf', value: term.idf },
        ...(part === 1 ? [] : [{ name: 'idf, as a part of that of df', value: part }]),
        { name: 'tf', value: frequency },
        { name: 'df', value: term.documentFrequency },
        { name: 'N', value: size },
        { name: 'length', value: segment.inverted.lengths[item]! },
        { name: 'average length', value: average },
      ];
    },
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
    prepare: collection => prepare(collection, k1, b, stop),
  }),
});
