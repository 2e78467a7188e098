/** Merges of lists by turns: worked by hand, and the laws of any merge. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { inTurns } from './in-turns.ts';

test('takes each list in turn, and skips the places that a list leaves free', () => {
  const lists = [
    ['a', 'b'],
    [undefined, 'c'],
    ['a', 'd', 'e'],
  ];
  assert.deepEqual(inTurns(lists, String), ['a', 'b', 'c', 'd', 'e']);
  assert.deepEqual(inTurns([], String), []);
});

test('holds each item once, and the first of each list among the first', () => {
  fc.assert(
    fc.property(fc.array(fc.uniqueArray(fc.nat(20))), lists => {
      const merged = inTurns(lists, String);
      assert.equal(new Set(merged).size, merged.length);
      assert.deepEqual(new Set(merged), new Set(lists.flat()));
      for (const [first] of lists)
        if (first !== undefined) assert.ok(merged.indexOf(first) < lists.length);
    }),
  );
});
