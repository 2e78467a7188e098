/** Builds the queries that rank: by BM25 of the server over our terms, and by inner product. */
import type { Unit } from '../../../core/ranking/ranking.ts';
import { isGramCharacter } from '../../../core/text/search-form.ts';
import { bm25Of, lexicalPlan, plannedTerms } from '../lexical-plan.ts';
import { storedText, termKey } from '../stored-text.ts';
import { queryTerms } from '../terms.ts';
import type { Query } from './filter.ts';
import { characterField, termField } from './mapping.ts';

/** Clauses of one query: a server allows 1,024. */
const CLAUSES = 1000;
/** Items that a search of HNSW holds in view at least: OpenSearch's own default of `ef_search`. */
const IN_VIEW = 100;

/** Returns undefined for a text without terms. */
export function termsQuery(
  unit: Unit,
  text: string,
  scorer: string,
  filter: readonly Query[],
): Query | undefined {
  // Which terms count follows from the scorer alone, whatever their frequencies.
  const plan = lexicalPlan(bm25Of(scorer), { items: 2, terms: 2 });
  const words = plannedTerms(queryTerms(text), plan, () => 1).map(({ word }) => word);
  if (words.length === 0) return undefined;
  const used = words.slice(0, CLAUSES);
  const should = [
    matching(
      termField(unit),
      used.filter(word => !isGramCharacter(word)),
    ),
    matching(characterField(unit), used.filter(isGramCharacter)),
  ].flat();
  return { bool: { must: [{ bool: { should } }], filter } };
}

function matching(field: string, words: readonly string[]): Query[] {
  const query = words.map(word => storedText(termKey(word))).join(' ');
  return query === '' ? [] : [{ match: { [field]: { query } } }];
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
