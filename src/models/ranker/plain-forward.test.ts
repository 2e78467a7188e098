/** Checks the plain network against PyTorch's `TransformerEncoderLayer` in 64-bit numbers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomRanker } from '../../../test/random-ranker.ts';
import { plainForward } from './plain-forward.ts';

/** Logits of `nn.TransformerEncoderLayer(16, 2, 24, activation='gelu', layer_norm_eps=1e-12)`. */
const RECORDED: readonly (readonly [
  hasPooler: boolean,
  ids: readonly number[],
  first: number,
  logit: number,
])[] = [
  [false, [2, 15, 16, 11, 5, 3, 13, 18, 21, 4, 3], 6, 0.7002611620937306],
  [false, [2, 3, 3], 2, 0.6624433661508233],
  [true, [2, 15, 16, 11, 5, 3, 13, 18, 21, 4, 3], 6, -2.09281213067307],
  [true, [2, 3, 3], 2, -2.342679765863111],
];

for (const [hasPooler, ids, first, logit] of RECORDED)
  test(`${ids.length} tokens ${hasPooler ? 'with' : 'without'} a pooler`, () => {
    const forward = plainForward(randomRanker({ hasPooler }));
    // The error function is approximated to 1.5e-7.
    assert.ok(Math.abs(forward({ ids, first }) - logit) < 1e-6);
  });
