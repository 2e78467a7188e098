/** Checks the plain network against PyTorch's `TransformerEncoderLayer` in 64-bit numbers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomRanker } from '../../../test/random-ranker.ts';
import { plainForward } from './plain-forward.ts';

const LONG: readonly number[] = [2, 15, 16, 11, 5, 3, 13, 18, 21, 4, 3];
const LONG_TYPES: readonly number[] = [0, 0, 2, 0, 0, 0, 1, 3, 1, 3, 1];

/** Logits of `nn.TransformerEncoderLayer(16, 2, 24, activation='gelu', layer_norm_eps=1e-12)`. */
const RECORDED: readonly (readonly [
  hasPooler: boolean,
  ids: readonly number[],
  types: readonly number[],
  logit: number,
])[] = [
  [false, LONG, LONG_TYPES, -1.7572841799513221],
  [false, [2, 3, 3], [0, 0, 1], -1.7764012614680942],
  [true, LONG, LONG_TYPES, -0.4842913573538714],
  [true, [2, 3, 3], [0, 0, 1], -0.9592184877443548],
];

for (const [hasPooler, ids, types, logit] of RECORDED)
  test(`${ids.length} tokens ${hasPooler ? 'with' : 'without'} a pooler`, () => {
    const forward = plainForward(randomRanker({ hasPooler }));
    // The error function is approximated to 1.5e-7.
    assert.ok(Math.abs(forward({ ids, types }) - logit) < 1e-6);
  });
