/** Tables of strategies by retrievers, on two small made-up evaluations. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EvaluationResult, Pair, RowResult } from '../../src/evaluation/evaluation-result.ts';
import { matrixTable, type RetrieverMatrix } from './retriever-matrix.ts';

const NAME = 'EvidenceRecall';
const row = (
  strategy: string,
  retriever: string,
  mean: number,
  id = `${strategy} | ${retriever}`,
): RowResult => ({
  id,
  strategy,
  retriever,
  context: 'whole',
  reader: 'extractive',
  budget: {},
  byType: {},
  byEvidence: {},
  failed: 0,
  measures: { [NAME]: { mean, low: mean - 0.05, high: mean + 0.05, n: 100 } },
});
const pair = (a: RowResult, b: RowResult, difference: number, low: number, high: number): Pair => ({
  a: a.id,
  b: b.id,
  measure: NAME,
  difference,
  low,
  high,
  shareAGreater: 0.5,
});
const result = (rows: RowResult[], pairs: Pair[]): EvaluationResult => ({
  dataset: 'd',
  questions: 100,
  groups: { byType: {}, byEvidence: {} },
  rows,
  pairs,
  manifest: {},
});

const [base, better, worse, same] = [
  row('s', 'bm25', 0.5),
  row('s', 'up', 0.6),
  row('s', 'down', 0.41),
  row('s', 'same', 0.51),
];
const matrix: RetrieverMatrix = {
  strategies: [
    { name: 's', label: 'first' },
    { name: 't', label: 'second' },
  ],
  retrievers: ['up', 'bm25', 'down', 'same', 'never'].map(name => ({
    name,
    label: name.toUpperCase(),
  })),
  baseline: 'bm25',
  results: [
    // The baseline stands first in one pair and second in the others.
    result(
      [base, better, worse, same],
      [
        pair(base, better, -0.1, -0.15, -0.02),
        pair(worse, base, -0.09, -0.2, -0.01),
        pair(same, base, 0.01, -0.04, 0.06),
      ],
    ),
    // The baseline again, in another run, and another strategy without it.
    result([row('s', 'bm25', 0.99), row('t', 'up', 0.7)], []),
  ],
};

test('retrievers down, strategies across, marks where the interval of the difference does not hold 0', () => {
  const { columns, rows } = matrixTable(matrix, NAME);
  assert.deepEqual(columns, ['retriever', 'first', 'second']);
  assert.deepEqual(rows, [
    ['UP', '60.00 ▲', '70.00'],
    ['BM25', '50.00', '–'],
    ['DOWN', '41.00 ▼', '–'],
    ['SAME', '51.00', '–'],
  ]);
});
