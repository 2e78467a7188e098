/** The network by the kernel against plain JavaScript in 64-bit numbers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  randomRanker,
  rankerFile,
  rankerParts,
  SMALL_TOKENS,
} from '../../../test/random-ranker.ts';
import { fastForward } from './fast-forward.ts';
import { plainForward } from './plain-forward.ts';
import { readRanker } from './ranker-file.ts';
import { TYPE_COUNT } from './shape.ts';

/** Codes of 16 bits round a state to 1 in 30,000 of its greatest number, in each linear map. */
const TOLERANCE = 2e-3;

test('logits of random networks and pairs of every length', () => {
  const network$ = fc.record({
    layers: fc.integer({ min: 1, max: 3 }),
    heads: fc.integer({ min: 1, max: 3 }),
    width: fc.constantFrom(8, 16, 40),
    intermediate: fc.constantFrom(8, 24, 64),
    hasPooler: fc.boolean(),
    seed: fc.nat(),
    lengths: fc.array(fc.integer({ min: 3, max: 48 }), { minLength: 1, maxLength: 2 }),
  });
  fc.assert(
    fc.property(network$, ({ lengths, heads, width, seed, ...sizes }) => {
      const model = randomRanker({ ...sizes, seed, heads, hidden: heads * width, positions: 48 });
      const [fast, plain] = [fastForward(model)!, plainForward(model)];
      for (const length of lengths) {
        const ids = Array.from({ length }, (_, at) => (seed + 7 * at) % SMALL_TOKENS.length);
        const pair = { ids, types: ids.map(id => (seed + id) % TYPE_COUNT) };
        assert.ok(Math.abs(fast(pair) - plain(pair)) <= TOLERANCE, `${fast(pair)} ${plain(pair)}`);
      }
    }),
    { numRuns: 40 },
  );
});

test('a pair has the same bits whatever was computed before it', () => {
  const model = randomRanker({ positions: 48 });
  const fast = fastForward(model)!;
  const ids = Array.from({ length: 48 }, (_, at) => at % SMALL_TOKENS.length);
  const long = { ids, types: ids.map(id => id % TYPE_COUNT) };
  for (const length of [3, 5, 8, 30]) {
    const pair = { ids: ids.slice(0, length), types: long.types.slice(48 - length) };
    const alone = fastForward(model)!(pair);
    fast(long);
    assert.equal(fast(pair), alone);
  }
});

test('a sum of the greatest codes does not overflow', () => {
  const parts = rankerParts({ layers: 1, intermediate: 2048 });
  const fill = (name: string, value: number): void =>
    void parts.tensors.get(`bert.encoder.layer.0.${name}`)!.data.fill(value);
  // All inner states are one positive number, and all their weights the greatest.
  fill('intermediate.dense.weight', 127);
  fill('intermediate.dense.weight_scale', 1e-5);
  fill('intermediate.dense.bias', 3);
  fill('output.dense.weight', 127);
  const model = readRanker(rankerFile(parts));
  const pair = { ids: [2, 15, 3, 13, 3], types: [0, 0, 0, 1, 1] };
  const [fast, plain] = [fastForward(model)!(pair), plainForward(model)(pair)];
  assert.ok(Math.abs(fast - plain) <= TOLERANCE, `${fast} ${plain}`);
});
