/** Builds the queries that rank: by BM25 of the server over our terms, and by inner product. */
import type { Unit } from '../../../core/ranking/ranking.ts';
import { bm25Of, lexicalPlan, type PlannedTerm, plannedTerms } from '../lexical-plan.ts';
import { storedText, termKey } from '../stored-text.ts';
import { queryTerms, wordsOfTexts } from '../terms.ts';
import type { Body } from './client.ts';
import type { Query } from './filter.ts';
import { fieldOf, termFieldsOf } from './mapping.ts';

/** Clauses of one query: a server allows 1,024. */
const CLAUSES = 1000;
/** Items that a search of HNSW holds in view at least: OpenSearch's own default of `ef_search`. */
const IN_VIEW = 100;

/** The text of a search by terms. */
export interface TermsText {
  readonly unit: Unit;
  readonly text: string;
  readonly scorer: string;
  readonly typed?: boolean | undefined;
  /** Languages with stems that items have. */
  readonly languages: readonly string[];
}

/** Numbers of items of a unit that hold each of some words. */
export interface TermCounts {
  readonly items: number;
  readonly ofWord: ReadonlyMap<string, number>;
}

/**
 * Returns undefined for a text without terms. `counts` are those of its `countedWords`, if it has
 * any.
 */
export function termsQuery(
  { unit, text, scorer, typed, languages }: TermsText,
  filter: readonly Query[],
  counts?: TermCounts,
): Query | undefined {
  const items = counts?.items ?? 2;
  // Without `counts`, which terms count follows from the scorer, whatever their frequencies.
  const plan = lexicalPlan(bm25Of(scorer), { items, terms: items });
  const frequencyOf = (word: string): number => counts?.ofWord.get(word) ?? 1;
  const planned = plannedTerms(queryTerms(text, typed, languages), plan, frequencyOf).slice(
    0,
    CLAUSES,
  );
  if (planned.length === 0) return undefined;
  const should = [
    ...matching(
      unit,
      planned.filter(({ factor }) => factor === 1),
    ),
    ...planned
      .filter(({ factor }) => factor < 1)
      .flatMap(term => matching(unit, [term], term.factor)),
    ...planned
      .filter(({ above }) => above > 0)
      .map(({ word, above }) => ({
        constant_score: { filter: holding(unit, word), boost: above },
      })),
  ];
  return { bool: { must: [{ bool: { should } }], filter } };
}

/** Returns the words of a text whose weights depend on how many items hold them. */
export function countedWords({ text, typed, languages }: TermsText): readonly string[] {
  const terms = queryTerms(text, typed, languages);
  const isCounted = terms.some(({ under, like, stem }) => under || like || stem);
  return isCounted ? terms.map(({ word }) => word) : [];
}

/** Returns a search that counts the items of a unit, and those that hold each word. */
export const countingBody = (
  unit: Unit,
  words: readonly string[],
  filter: readonly Query[],
): Query => ({
  query: { bool: { filter: [...filter, { term: { unit } }] } },
  size: 0,
  aggs: {
    items: { filter: { match_all: {} } },
    words: { filters: { filters: words.map(word => holding(unit, word)) } },
  },
});

/** Reads the answer to `countingBody`. */
export const readCounts = (words: readonly string[], { aggregations }: Body): TermCounts => ({
  items: aggregations.items.doc_count,
  ofWord: new Map(words.map((word, at) => [word, aggregations.words.buckets[at].doc_count])),
});

const holding = (unit: Unit, word: string): Query => ({
  term: { [fieldOf(unit, word)]: storedText(termKey(word)) },
});

/** Returns filters for the items that hold every term of some texts. */
export const holdingAll = (unit: Unit, texts: readonly string[]): Query[] =>
  wordsOfTexts(texts).map(word => holding(unit, word));

function matching(unit: Unit, terms: readonly PlannedTerm[], boost = 1): Query[] {
  return termFieldsOf(unit).flatMap(field => {
    const query = terms
      .filter(({ word }) => fieldOf(unit, word) === field)
      .map(({ word }) => storedText(termKey(word)))
      .join(' ');
    return query === '' ? [] : [{ match: { [field]: { query, boost } } }];
  });
}

export function nearestQuery(
  field: string,
  vector: Float32Array,
  filter: readonly Query[],
  { k, isExact }: { readonly k: number; readonly isExact: boolean },
): Query {
  if (isExact) return vectorScore(field, vector, filter);
  const inView = Math.max(k, IN_VIEW);
  return {
    knn: { [field]: { vector: Array.from(vector), k: inView, filter: { bool: { filter } } } },
  };
}

/** Scores every item that passes. */
export const vectorScore = (
  field: string,
  vector: Float32Array,
  filter: readonly Query[],
): Query => ({
  script_score: {
    query: { bool: { filter } },
    script: {
      lang: 'knn',
      source: 'knn_score',
      params: { field, query_value: Array.from(vector), space_type: 'innerproduct' },
    },
  },
});

/** Returns the inner product of a score, which the server keeps above 0. */
export const innerProductOf = (score: number): number => (score >= 1 ? score - 1 : 1 - 1 / score);
