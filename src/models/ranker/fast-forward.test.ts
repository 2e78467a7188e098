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
import type { Variant } from './kernel.ts';
import { plainForward } from './plain-forward.ts';
import { readRanker } from './ranker-file.ts';
import { TYPE_COUNT } from './shape.ts';

/**
 * A number near the middle of two codes may be rounded otherwise than in 64 bits, and numbers
 * computed of it then are: most networks have no such number.
 */
const [USUAL, TOLERANCE] = [1e-3, 0.3];
const VARIANTS: readonly Variant[] = ['dots', 'pairs', 'wide'];

/** Rounds a state as the kernel does: the greatest code is 127. */
function rounded(state: Float64Array): Float64Array {
  const scale = Math.max(1e-30, ...state.map(Math.abs)) / 127;
  return state.map(value => scale * Math.round(value / scale));
}

test('logits of random networks and pairs of every length, the same bits by every variant', () => {
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
      const plain = plainForward(model, rounded);
      const [dots, ...others] = VARIANTS.map(variant => fastForward(model, variant)!);
      for (const length of lengths) {
        const ids = Array.from({ length }, (_, at) => (seed + 7 * at) % SMALL_TOKENS.length);
        const pair = { ids, types: ids.map(id => (seed + id) % TYPE_COUNT) };
        const [logit, expected] = [dots!(pair), plain(pair)];
        assert.ok(Math.abs(logit - expected) <= TOLERANCE, `${logit} ${expected}`);
        for (const other of others) assert.equal(other(pair), logit);
      }
    }),
    { numRuns: 40 },
  );
});

test('most logits differ from those of rounded states by less than a code', () => {
  const errors = Array.from({ length: 25 }, (_, seed) => {
    const model = randomRanker({ seed, heads: 3, hidden: 48, positions: 48, hasPooler: true });
    const ids = Array.from({ length: 3 + seed }, (_, at) => (seed + at) % SMALL_TOKENS.length);
    const pair = { ids, types: ids.map(id => id % TYPE_COUNT) };
    return Math.abs(fastForward(model)!(pair) - plainForward(model, rounded)(pair));
  });
  assert.ok(errors.sort((a, b) => a - b)[12]! <= USUAL, String(errors));
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

test('products of the greatest codes do not overflow', () => {
  const parts = rankerParts({ layers: 1, intermediate: 2048 });
  const fill = (name: string, value: number): void =>
    void parts.tensors.get(`bert.encoder.layer.0.${name}`)!.data.fill(value);
  // All inner states are one positive number, and all their weights the greatest.
  fill('intermediate.dense.weight', 63);
  fill('intermediate.dense.weight_scale', 1e-5);
  fill('intermediate.dense.bias', 3);
  fill('output.dense.weight', 63);
  const model = readRanker(rankerFile(parts));
  const pair = { ids: [2, 15, 3, 13, 3], types: [0, 0, 0, 1, 1] };
  const plain = plainForward(model, rounded)(pair);
  for (const variant of VARIANTS) {
    const fast = fastForward(model, variant)!(pair);
    assert.ok(Math.abs(fast - plain) <= TOLERANCE, `${variant} ${fast} ${plain}`);
  }
});
