import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EvaluationResult, RowResult } from '../evaluation-result.ts';
import { picture } from './picture.ts';

const row = (id: string, retriever: string, em: number, tokens: number): RowResult => {
  const estimate = (mean: number) => ({ mean, low: mean, high: mean, n: 10 });
  const measures = {
    'RetrievalConditionedEM(answerable)': estimate(em),
    ContextTokens: estimate(tokens),
  };
  return {
    id,
    strategy: id,
    retriever,
    context: 'lead(words=90)',
    reader: 'extractive',
    budget: {},
    measures,
    byType: {},
    byEvidence: {},
    failed: 0,
  };
};

const result = (rows: readonly RowResult[]): EvaluationResult => ({
  dataset: 'multihop-rag',
  questions: 10,
  groups: { byType: {}, byEvidence: {} },
  rows,
  pairs: [],
  manifest: {},
});

test('shows the rows comparable with the first only', () => {
  const svg = picture(
    result([
      row('fixed-top-k(k=2)', 'lexical(s1)', 0.3, 217),
      row('<agent>', 'lexical(s1)', 0.6, 500),
      row('stranger', 'lexical', 0.5, 500),
    ]),
  );
  assert.match(svg, /fixed-top-k\(k=2\)/);
  assert.match(svg, /&lt;agent&gt;/);
  assert.doesNotMatch(svg, /<agent>|stranger/);
  assert.equal([...svg.matchAll(/<svg /g)].length, 2);
  assert.equal([...svg.matchAll(/<\/svg>/g)].length, 2);
});

test('is missing without a row that has both measures', () => {
  assert.equal(picture(result([])), '');
});
