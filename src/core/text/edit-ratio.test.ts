/**
 * Compares edit ratios with the full table of longest common subsequences, and with examples worked
 * by hand.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { editRatioAtLeast, indelDistance } from './edit-ratio.ts';

/**
 * Computes the distance from the full table: the sum of the lengths less twice the longest common
 * subsequence.
 */
function slowDistance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      table[i]![j] =
        a[i - 1] === b[j - 1]
          ? table[i - 1]![j - 1]! + 1
          : Math.max(table[i - 1]![j]!, table[i]![j - 1]!);
  return a.length + b.length - 2 * table[a.length]![b.length]!;
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 14 });

test('the distance equals that of the full table, up to the limit', () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 30 }), (a, b, atMost) => {
      const distance = slowDistance(a, b);
      assert.equal(indelDistance(a, b, atMost), distance <= atMost ? distance : undefined);
    }),
    { numRuns: 500 },
  );
});

describe('the ratio', () => {
  test('examples worked by hand, on both sides of the threshold', () => {
    // "abcdefghij" and "abcdefghiX": 1 deleted, 1 inserted of 20 characters, a ratio of exactly 90.
    assert.equal(editRatioAtLeast('abcdefghij', 'abcdefghiX', 90), true);
    assert.equal(editRatioAtLeast('abcdefghij', 'abcdefghiX', 90.1), false);
    // "kitten" and "sitting": 5 edits of 13 characters, 61.5.
    assert.equal(editRatioAtLeast('kitten', 'sitting', 61), true);
    assert.equal(editRatioAtLeast('kitten', 'sitting', 62), false);
    assert.equal(editRatioAtLeast('', '', 100), true);
    assert.equal(editRatioAtLeast('', 'a', 1), false);
    assert.equal(editRatioAtLeast('', 'a', 0), true);
  });

  test('agrees with the table at every threshold and is symmetric', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 100 }), (a, b, threshold) => {
        const both = a.length + b.length;
        const expected = both === 0 || 100 * (both - slowDistance(a, b)) >= threshold * both;
        assert.equal(editRatioAtLeast(a, b, threshold), expected);
        assert.equal(editRatioAtLeast(b, a, threshold), expected);
      }),
      { numRuns: 500 },
    );
  });

  test('compares only the beginnings of texts of a megabyte', () => {
    assert.equal(editRatioAtLeast('ab'.repeat(500_000), 'ba'.repeat(500_000), 90), true);
    assert.equal(editRatioAtLeast('a'.repeat(1_000_000), 'b'.repeat(1_000_000), 90), false);
  });
});
