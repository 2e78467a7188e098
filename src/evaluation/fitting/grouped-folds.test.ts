/** Tests folds of items that share keys: what is connected stays together, sizes are even. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { groupedFolds } from './folds.ts';

test('items without common keys fill folds evenly; the seed decides which', () => {
  const keys = Array.from({ length: 23 }, (_, at) => [`key ${at}`]);
  const [first, again, other] = [1, 1, 2].map(seed => [...groupedFolds(keys, 5, seed)]);
  assert.deepEqual(first, again);
  assert.notDeepEqual(first, other);
  const sizes = [0, 1, 2, 3, 4].map(number => first!.filter(fold => fold === number).length);
  assert.deepEqual(sizes.toSorted(), [4, 4, 5, 5, 5]);
  // Not in the order of the items.
  assert.notDeepEqual(
    first,
    keys.map((_, at) => at % 5),
  );
});

test('each group goes into the smallest fold of then', () => {
  const keys = [...Array.from({ length: 6 }, () => ['same']), ['a'], ['b'], ['c'], ['d']];
  for (let seed = 0; seed < 20; seed++) {
    const fold = groupedFolds(keys, 2, seed);
    const large = fold[0]!;
    assert.ok(fold.slice(6).filter(part => part !== large).length >= 2, `${fold}`);
  }
});

test('two items of different folds never share a key', () => {
  const item = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), {
    maxLength: 2,
  });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 30 }), fc.integer(), (keys, seed) => {
      const fold = groupedFolds(keys, 4, seed);
      assert.equal(fold.length, keys.length);
      for (const [a, left] of keys.entries())
        for (const [b, other] of keys.entries())
          if (left.some(key => other.includes(key))) assert.equal(fold[a], fold[b]);
    }),
  );
});
