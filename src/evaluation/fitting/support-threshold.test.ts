import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldsOf } from './folds.ts';
import { bestThreshold, learnThreshold, refusals } from './support-threshold.ts';

const items = (supports: readonly number[], isNull: boolean) =>
  supports.map(support => ({ support, isNull }));

test('chooses the lowest threshold with the best balance of refused null questions and others', () => {
  const mixed = [...items([0.1, 0.2, 0.3], true), ...items([0.25, 0.5, 0.6, 0.7], false)];
  // 0.31 refuses 3 of 3 and 1 of 4 (0.75); 0.21 refuses 2 of 3 and none (0.667).
  assert.equal(bestThreshold(mixed), 0.31);
  assert.deepEqual(refusals(mixed, 0.31), { abstainedNull: 1, refusedAnswerable: 0.25 });
});

test('throws if one kind of question is missing', () => {
  assert.throws(() => learnThreshold(items([0.1, 0.2], false)), { code: 'one-kind-of-question' });
  assert.throws(() => learnThreshold(items([0.1, 0.2], true)), { code: 'one-kind-of-question' });
});

test('refuses what lies below the threshold, not what equals it', () => {
  assert.deepEqual(refusals(items([0.3, 0.4], false), 0.4), {
    abstainedNull: 0,
    refusedAnswerable: 0.5,
  });
});

test('the threshold of a fold follows the other folds, and the shipped one is their median', () => {
  // Supports differ from fold to fold, so that a fold that chose on itself would choose otherwise.
  const mixed = Array.from({ length: 40 }, (_, at) => [
    { support: 0.1 + 0.01 * (at % 5), isNull: true },
    { support: 0.5 + 0.02 * (at % 7), isNull: false },
  ]).flat();
  const { threshold, folds } = learnThreshold(mixed, 4);
  const sorted = folds.map(fold => fold.threshold).toSorted((a, b) => a - b);
  assert.equal(threshold, sorted[2]);
  assert.ok(sorted.every(threshold => threshold > 0.13 && threshold <= 0.15));
  assert.equal(folds.length, 4);
});

test('a fold counts for nothing in its own threshold', () => {
  const fold = foldsOf(60, 3);
  // Only the null questions of fold 0 lie below 0.2.
  const mixed = Array.from({ length: 60 }, (_, at) => ({
    support: at % 2 === 0 ? (fold[at] === 0 ? 0.1 : 0.5) : fold[at] === 0 ? 0.2 : 0.9,
    isNull: at % 2 === 0,
  }));
  const { folds } = learnThreshold(mixed, 3);
  assert.equal(folds[0]!.threshold, 0.51);
  assert.deepEqual(
    refusals(
      mixed.filter((_, at) => fold[at] === 0),
      0.51,
    ),
    { abstainedNull: folds[0]!.abstainedNull, refusedAnswerable: folds[0]!.refusedAnswerable },
  );
});
