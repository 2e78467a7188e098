/** Tests how members of a ranking are scaled and summed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from './passage-rank.ts';

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
