/** Tests comparisons of an evaluation with least values and with an earlier evaluation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RowResult, Scores } from './evaluation-result.ts';
import type { Example, Measure } from './example.ts';
import { baselineOf, changesSince, missesOf } from './gate.ts';

const share: Measure = { name: 'Share', summary: '', score: () => 0 };
const cost: Measure = { name: 'Cost', summary: '', better: 'lower', score: () => 0 };

const row = (id: string, measures: RowResult['measures'] = {}): RowResult => ({
  id,
  strategy: 's',
  retriever: 'r',
  context: 'c',
  reader: 'x',
  budget: {},
  measures,
  byType: {},
  byEvidence: {},
  failed: 0,
});
const result = (...rows: RowResult[]) => ({
  dataset: 'd',
  questions: 0,
  groups: { byType: {}, byEvidence: {} },
  rows,
  pairs: [],
  manifest: {},
});
const example = (id: string): Example => ({
  id,
  question: { id, text: id },
  answers: ['a'],
  gold: [],
});
const changes = (now: number[], before: (number | null)[], measure = share) =>
  changesSince(
    { result: result(row('a')), scores: { a: { [measure.name]: now } } },
    now.map((_, index) => example(`q${index}`)),
    [measure],
    {
      questions: before.map((_, index) => `q${index}`),
      scores: { a: { [measure.name]: before } } as unknown as Scores,
    },
  );

test('a value equal to the least one suffices; a smaller one and none do not', () => {
  const estimate = { mean: 0.6, low: 0.5, high: 0.7, n: 30 };
  const rows = result(row('a', { Share: estimate }), row('b'), { ...row('c'), strategy: 'none' });
  assert.deepEqual(missesOf(rows, [{ measure: 'Share', least: 0.6 }]), [
    { row: 'b', measure: 'Share', least: 0.6, estimate: undefined },
  ]);
  assert.deepEqual(missesOf(rows, [{ measure: 'Share', least: 0.601 }])[0], {
    row: 'a',
    measure: 'Share',
    least: 0.601,
    estimate,
  });
});

test('the difference is that of the means, and every changed question is named', () => {
  const scores = fc.array(fc.tuple(fc.constantFrom(0, 0.5, 1), fc.constantFrom(0, 0.5, 1)), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(scores, pairs => {
      const [now, before] = [pairs.map(pair => pair[0]), pairs.map(pair => pair[1])];
      const [change] = changes(now, before);
      const total = pairs.reduce((sum, [a, b]) => sum + a - b, 0);
      assert.ok(Math.abs(change!.difference - total / pairs.length) < 1e-12);
      assert.ok(change!.low <= change!.difference + 1e-12);
      assert.ok(change!.difference <= change!.high + 1e-12);
      assert.deepEqual(
        change!.changed.map(({ question }) => question),
        pairs.flatMap(([a, b], index) => (a === b ? [] : [`q${index}`])),
      );
      // A row without a loss is never worse, one without a gain never better.
      if (pairs.every(([a, b]) => a >= b)) assert.ok(change!.high >= 0);
      if (pairs.every(([a, b]) => a <= b)) assert.ok(change!.low <= 0);
    }),
    { numRuns: 40 },
  );
});

test('a loss of every question is worse, of one in thirty is not told from chance', () => {
  const ones = Array.from({ length: 30 }, () => 1);
  assert.ok(
    changes(
      ones.map(() => 0),
      ones,
    )[0]!.high < 0,
  );
  assert.ok(changes([0, ...ones.slice(1)], ones)[0]!.high >= 0);
});

test('only questions of both sides count, and a question without a score is named', () => {
  const [change] = changes([1, 0, 1], [1, null]);
  assert.deepEqual(change!.changed, [{ question: 'q1', before: undefined, now: 0 }]);
  assert.equal(change!.n, 2);
});

test('costs are not compared', () => assert.deepEqual(changes([9], [1], cost), []));

test('another row, other questions and other measures are refused', () => {
  const now = { result: result(row('a')), scores: { a: { Share: [1] } } };
  const questions = ['q0'];
  const since = (baseline: Parameters<typeof changesSince>[3]) => () =>
    changesSince(now, [example('q0')], [share], baseline);
  assert.throws(since({ questions, scores: { b: { Share: [1] } } }), /the row "a".*received b/s);
  assert.throws(since({ questions: ['p'], scores: { a: { Share: [1] } } }), /another evaluation/);
  assert.throws(since({ questions, scores: { a: { Part: [1] } } }), /Share.*received Part/s);
});

test('a question keeps its stated id, also one like a place; one without is known by its text', () => {
  const stated = { ...example('q0001'), question: { id: 'q0001', text: 'Which?' } };
  const baseline = baselineOf([stated, { ...stated, id: 'q0002', idIsPlace: true }], {});
  assert.deepEqual(baseline, {
    questions: ['q0001', 'q0002'],
    names: ['q0001', 'Which?'],
    scores: {},
  });
});
