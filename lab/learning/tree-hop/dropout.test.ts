/**
 * Dropout and schedules: gradients with the mask fixed by finite differences of the oracle, what is
 * dropped, and that a run that goes on is the same.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mulberry32 } from '../../../src/core/mulberry32.ts';
import { initialParameters } from '../../../src/models/tree-hop/parameters.ts';
import { asFloats } from '../../../test/oracles/tree-hop-oracle.ts';
import { checkGradients, oracleBatchLoss } from '../../test/tree-hop-gradients.ts';
import type { TreeHopBatch } from './batch.ts';
import { dropValues } from './dropout.ts';
import { rateFactor } from './rate-schedule.ts';
import { TreeHopTrainer } from './trainer.ts';

const random = mulberry32(8);
const numbers = (length: number): Float32Array =>
  Float32Array.from({ length }, () => 2 * random() - 1);
const SHARE = 0.4;
const PARENTS = [-1, -1, 0, 1, 2];

/** Numbers are drawn depth by depth, head by head, block by block, row by row. */
function masks(seed: number, heads: number, blocks: number, m: number): Map<string, number[]> {
  const draw = mulberry32(seed);
  const all = new Map<string, number[]>();
  for (const rows of [[0, 1], [2, 3], [4]])
    for (let head = 0; head < heads; head++)
      for (let block = 0; block < blocks; block++)
        for (const row of rows)
          all.set(
            `${row} ${head} ${block}`,
            Array.from({ length: m }, () => (draw() < SHARE ? 0 : 1 / (1 - SHARE))),
          );
  return all;
}

for (const shape of [
  { d: 4, g: 5, m: 5, nMlp: 2, heads: 1 },
  { d: 3, g: 4, m: 6, nMlp: 2, heads: 2 },
])
  test(`gradients with a fixed mask against finite differences: g ${shape.g}, m ${shape.m}`, () => {
    const { d, m, nMlp, heads } = shape;
    const parameters = initialParameters(shape, random, 1, shape.g);
    const batch: TreeHopBatch = {
      queries: numbers(5 * d),
      passages: numbers(5 * d),
      positives: numbers(5 * d),
      negatives: numbers(15 * d),
      parents: Int32Array.from(PARENTS),
    };
    const mask = masks(3, heads, nMlp, m);
    assert.ok([...mask.values()].flat().includes(0));
    const exact = new Map([...parameters.tensors].map(([name, data]) => [name, [...data]]));
    const scales = (row: number, head: number, block: number): number[] =>
      mask.get(`${row} ${head} ${block}`)!;
    const oracle = (): number => oracleBatchLoss(shape, exact, batch, { scales });
    const trainer = new TreeHopTrainer({ ...parameters, tensors: asFloats(exact) });
    const { loss, tensors } = trainer.gradients(batch, { share: SHARE, random: mulberry32(3) });
    assert.ok(Math.abs(loss - oracle()) < 1e-5);
    assert.notEqual(loss, trainer.loss(batch).loss);
    checkGradients(exact, oracle, tensors);
  });

test('drops a share, keeps the mean, and changes no other memory', () => {
  const floats = new Float32Array(20002).fill(1);
  dropValues(floats, 1, 20000, { share: 0.25, random });
  const within = floats.subarray(1, -1);
  assert.ok(within.every(value => value === 0 || value === Math.fround(4 / 3)));
  assert.ok(Math.abs(within.filter(value => value === 0).length / 20000 - 0.25) < 0.02);
  assert.deepEqual([floats[0], floats.at(-1)], [1, 1]);
});

test('the cosine: the rate at first, half of it in the middle, 0 at the end', () => {
  assert.equal(rateFactor('constant', 7, 8), 1);
  const cosine = [1, 2, 3, 4].map(step => rateFactor('cosine', step, 4));
  // 0.5 (1 + cos 45°), cos 90°, cos 135°, cos 180°.
  for (const [at, value] of [0.8535533905932737, 0.5, 0.14644660940672627, 0].entries())
    assert.ok(Math.abs(cosine[at]! - value) < 1e-15);
});
