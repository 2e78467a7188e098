/** Compares fusion with the papers' formulas, worked by hand on small rankings. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestFusion, reciprocalRankFusion, weightedFusion } from './fusion.ts';
import type { Ranking } from './ranking.ts';

const ranking = (...scored: readonly (readonly [string, number])[]): Ranking =>
  scored.map(([id, score]) => ({ id, documentId: id, start: 0, end: 1, score }));
const scores = (hits: Ranking): Record<string, number> =>
  Object.fromEntries(hits.map(({ id, score }) => [id, score]));

const first = ranking(['a', 10], ['b', 6], ['c', 2]);
const second = ranking(['c', 0.5], ['a', 0.25]);

test('reciprocal ranks: 1 / (60 + rank), summed', () => {
  const fused = reciprocalRankFusion([first, second]);
  assert.deepEqual(
    fused.map(({ id }) => id),
    ['a', 'c', 'b'],
  );
  assert.deepEqual(scores(fused), { a: 1 / 62 + 1 / 61, c: 1 / 63 + 1 / 61, b: 1 / 62 });
});

test('a small k favours first ranks; a weight favours its ranking', () => {
  assert.deepEqual(scores(reciprocalRankFusion([first, second], 0)), {
    a: 1.5,
    c: 1 / 3 + 1,
    b: 0.5,
  });
  assert.deepEqual(
    reciprocalRankFusion([first, second], 60, [1, 3]).map(({ id }) => id),
    ['c', 'a', 'b'],
  );
  assert.deepEqual(scores(reciprocalRankFusion([first, second], 1, [2, 0])), {
    a: 1,
    b: 2 / 3,
    c: 0.5,
  });
});

test('weighted scores: (s - least) / (most - least), weights of sum 1', () => {
  const fused = weightedFusion([first, second], [3, 1]);
  assert.deepEqual(
    fused.map(({ id }) => id),
    ['a', 'b', 'c'],
  );
  assert.deepEqual(scores(fused), { a: 0.75, b: 0.375, c: 0.25 });
  assert.deepEqual(scores(weightedFusion([first, second])), { a: 0.5, b: 0.25, c: 0.5 });
});

test('a single hit, or hits of equal score, have the scaled score 1', () => {
  assert.deepEqual(scores(weightedFusion([ranking(['a', -3])])), { a: 1 });
  assert.deepEqual(
    scores(weightedFusion([ranking(['a', 2], ['b', 2]), ranking(['b', 9], ['c', 1])])),
    { b: 1, a: 0.5, c: 0 },
  );
});

test('best scores: the maximum of (s - least) / (most - least)', () => {
  const fused = bestFusion([first, second]);
  assert.deepEqual(scores(fused), { a: 1, b: 0.5, c: 1 });
  assert.deepEqual(
    fused.map(({ id }) => id),
    ['a', 'c', 'b'],
  );
});
