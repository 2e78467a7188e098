/** Tests how members of a ranking are scaled and summed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled, total } from './passage-rank.ts';

test('scores are divided by the greatest; without a positive one all are 0', () => {
  assert.deepEqual(scaled([1, 4, 0, -2]), [0.25, 1, 0, -0.5]);
  assert.deepEqual(scaled([0, -1]), [0, 0]);
  assert.deepEqual(scaled([]), []);
});

test('members count alike, whatever their scales', () => {
  assert.deepEqual(
    total([
      [1, 2],
      [300, 0],
    ]),
    [1.5, 1],
  );
  assert.deepEqual(
    total([
      [0, 0],
      [1, 2],
    ]),
    [0.5, 1],
  );
  assert.deepEqual(total([]), []);
  assert.deepEqual(total([[], []]), []);
});

test('a member times any factor gives the same sum', () => {
  const row = fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), fc.nat(9), (rows, power) => {
      const [first, ...rest] = rows as [number[], ...number[][]];
      assert.deepEqual(total([first.map(score => score * 2 ** power), ...rest]), total(rows));
    }),
  );
});
