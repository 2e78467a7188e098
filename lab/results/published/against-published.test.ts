import assert from 'node:assert/strict';
import test from 'node:test';
import type { EvaluationResult, RowResult } from '../../../src/evaluation/evaluation-result.ts';
import { publishedTables } from './against-published.ts';
import { BUDGETED_AGENT_PAPER } from './budgeted-agent-paper.ts';

const EM = 'RetrievalConditionedEM(paper)';

const row = (strategy: string, em: number, context = 'lead(words=90)'): RowResult => {
  const measures = { [EM]: em, ReciprocalRank: 0.853, ContextTokens: 509.25 };
  const estimates = Object.entries(measures).map(([name, mean]) => [
    name,
    { mean, low: mean * 0.9, high: mean, n: 1182 },
  ]);
  return {
    id: `${strategy} ${context}`,
    strategy,
    context,
    retriever: 'lexical(s1)',
    failed: 0,
    reader: 'evidence-only',
    budget: {},
    measures: Object.fromEntries(estimates),
    byType: { comparison: measures },
    byEvidence: { 2: measures },
  };
};

const result: EvaluationResult = {
  dataset: 'multihop-rag',
  questions: 1330,
  groups: { byType: {}, byEvidence: {} },
  rows: [
    row('fixed-top-k(k=2)', 0.3729),
    row('iterative(rounds=2)', 0.394),
    row('decomposition', 0.4692),
    row('budgeted-agent(tokens=620, calls=4)', 0.6173),
    row('equal-budget-top-k(tokens=620)', 0.6722),
    row('equal-budget-top-k(tokens=620)', 0.9677, 'headers'),
  ],
  pairs: [],
  manifest: {},
};

const linesOf = (result: EvaluationResult): string[] =>
  publishedTables(result, BUDGETED_AGENT_PAPER).flatMap(({ notes, rows }) => [
    ...notes,
    ...rows.map(cells => cells.join(' | ')),
  ]);

test('published figures stand beside ours, with what is only approximate', () => {
  const lines = linesOf(result);
  const find = (...parts: readonly string[]): string | undefined =>
    lines.find(line => parts.every(part => line.includes(part)));
  assert.ok(find('Ours: dev half, not the full 2,556'));
  assert.ok(find('budgeted-agent', EM, '61.73 | 62.75 | −1.02 | 62.36'));
  assert.match(find('iterative', EM, '40.88')!, /approximate/);
  assert.match(find('decomposition', 'ContextTokens', '336.6')!, /approximate/);
  assert.doesNotMatch(find('decomposition', EM, '47.46')!, /approximate/);
  assert.ok(find('fixed-top-k(k=2)', 'ReciprocalRank', '0.853 | 0.853 | 0.000'));
});

test('only runs under the data set, retriever and context of the paper are compared', () => {
  for (const retriever of ['lexical', 'dense(x)']) {
    const rows = result.rows.map(each => ({ ...each, retriever }));
    assert.deepEqual(linesOf({ ...result, rows }), []);
  }
  assert.deepEqual(linesOf({ ...result, dataset: 'musique' }), []);
  const [overall] = publishedTables(result, BUDGETED_AGENT_PAPER);
  const compared = overall!.rows.filter(([system]) => system === 'equal-budget-top-k(tokens=620)');
  assert.equal(compared.length, 3, 'three measures of one row, not of that under headers');
  assert.ok(!linesOf({ ...result, questions: 2556 }).some(line => /not the full/.test(line)));
});

test('the published tables add up: EM of the chains gives whole counts and EM of its Table 6', () => {
  for (const { values, byEvidence, byType } of BUDGETED_AGENT_PAPER.rows) {
    if (!byEvidence || !byType || !values) continue;
    const weighted = (sizes: Readonly<Record<string, number>>, groups: typeof byType): number =>
      Object.entries(sizes).reduce((sum, [key, n]) => sum + Math.round(groups[key]![EM]! * n), 0);
    const answerable = weighted({ 2: 1169, 3: 774, 4: 312 }, byEvidence);
    assert.equal(weighted({ comparison: 856, inference: 816, temporal: 583 }, byType), answerable);
    assert.equal(((answerable + 299) / 2556).toFixed(4), values[EM]!.toFixed(4));
  }
});
