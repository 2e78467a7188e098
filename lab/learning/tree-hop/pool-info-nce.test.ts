/**
 * The loss against a whole pool: that of infoNce with all of the pool as negatives, its gradients
 * by finite differences of the oracle.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mulberry32 } from '../../../src/core/mulberry32.ts';
import { roomFrom } from '../../../src/models/tree-hop/activations.ts';
import { createMatrixKernel } from '../../../src/models/tree-hop/kernel.ts';
import { initialParameters } from '../../../src/models/tree-hop/parameters.ts';
import { asFloats } from '../../../test/oracles/tree-hop-oracle.ts';
import { checkGradients, oracleBatchLoss, rowOf } from '../../test/tree-hop-gradients.ts';
import { infoNce } from './info-nce.ts';
import { PoolInfoNce, placePool } from './pool-info-nce.ts';
import { TreeHopTrainer } from './trainer.ts';

const random = mulberry32(5);
const numbers = (length: number): Float32Array =>
  Float32Array.from({ length }, () => 2 * random() - 1);
const whole = (end: number): number => Math.floor(random() * end);

/**
 * Rows, pool, dimensions, temperature: more rows than are held at once, several blocks of the pool,
 * a last one that is not whole.
 */
const CASES = [
  [1, 1, 1, 0.15],
  [3, 9, 5, 0.15],
  [131, 1100, 7, 0.05],
  [6, 513, 16, 1],
  [5, 512, 384, 0.01],
] as const;

for (const mode of ['plain', 'fast'] as const)
  test(`equals infoNce over all passages that are not excluded: ${mode}`, () => {
    for (const [rows, count, d, temperature] of CASES) {
      const [pool, states] = [numbers(count * d), numbers(rows * d)];
      const positives = Int32Array.from({ length: rows }, () => whole(count));
      const excluded = Array.from(positives, positive =>
        [whole(count), whole(count)].filter(row => row !== positive),
      );
      const room = roomFrom(0);
      const places = placePool(room, d, count, rows);
      const [from, to] = [room.take(rows, d), room.take(rows, d)];
      const kernel = createMatrixKernel(room.end, mode);
      kernel.floats.set(states, from.at);
      const loss = new PoolInfoNce(kernel, places, pool);
      const terms = { temperature, states: from, rows, positives, excluded };
      const losses = loss.losses({ ...terms, gradient: { to, factor: 0.5 } });
      assert.deepEqual(
        loss.losses({ ...terms, gradient: undefined }),
        losses,
        'without a gradient the same bits',
      );
      for (let row = 0; row < rows; row++) {
        const chosen = Int32Array.from({ length: count }, (_, key) => key).filter(
          key => key !== positives[row] && !excluded[row]!.includes(key),
        );
        const expected = new Float32Array(d);
        const slow = infoNce(
          {
            d,
            temperature,
            negatives: pool,
            chosen,
            from: 0,
            count: chosen.length,
            state: { values: states, at: row * d },
            positive: { values: pool, at: positives[row]! * d },
          },
          { values: expected, at: 0, factor: 0.5 },
        );
        assert.ok(Math.abs(losses[row]! - slow) < 1e-5 / temperature, `${losses[row]} and ${slow}`);
        const gradient = kernel.floats.slice(to.at + row * d, to.at + (row + 1) * d);
        const apart = Math.max(...gradient.map((value, i) => Math.abs(value - expected[i]!)));
        const size = Math.max(...expected.map(Math.abs));
        assert.ok(
          apart <= 1e-4 * size + 1e-6 / temperature,
          `${apart} of ${size}, ${count} x ${d}`,
        );
      }
    }
  });

test('gradients of the weights against finite differences, through two updates', () => {
  const shape = { d: 4, g: 5, m: 5, nMlp: 1, heads: 1 };
  const parameters = initialParameters(shape, random, 1, shape.g);
  const [rows, count] = [3, 11];
  const pool = numbers(count * shape.d);
  const batch = {
    queries: numbers(rows * shape.d),
    passages: numbers(rows * shape.d),
    negatives: new Float32Array(0),
    positives: numbers(rows * shape.d),
    parents: Int32Array.of(-1, -1, 0),
    pool: { positives: Int32Array.of(2, 10, 0), excluded: [[3, 4], [], [10]] },
  };
  const { positives, excluded } = batch.pool;
  const exact = new Map([...parameters.tensors].map(([name, data]) => [name, [...data]]));
  const keys = (row: number): number[][] => {
    const others = [...Array(count).keys()].filter(
      key => key !== positives[row] && !excluded[row]!.includes(key),
    );
    return [positives[row]!, ...others].map(key => rowOf(pool, key, shape.d));
  };
  const oracle = (): number => oracleBatchLoss(shape, exact, batch, { keys });
  const trainer = new TreeHopTrainer({ ...parameters, tensors: asFloats(exact) }, { pool });
  const { loss, tensors } = trainer.gradients(batch);
  assert.ok(Math.abs(loss - oracle()) < 1e-5);
  checkGradients(exact, oracle, tensors);
});

test('refuses targets outside the pool', () => {
  const parameters = initialParameters({ d: 2, g: 2, m: 2, nMlp: 0, heads: 1 }, random);
  const trainer = new TreeHopTrainer(parameters, { pool: numbers(6) });
  const batch = {
    queries: numbers(2),
    passages: numbers(2),
    positives: numbers(2),
    negatives: new Float32Array(0),
  };
  const wrong: readonly (readonly [number[], number[][], RegExp])[] = [
    [[3], [[]], /one of its 3/],
    [[0], [[-1]], /one of its 3/],
    [[0], [], /targets/],
    [[0], [[0]], /another than the positive/],
  ];
  for (const [positives, excluded, message] of wrong)
    assert.throws(
      () => trainer.loss({ ...batch, pool: { positives: Int32Array.from(positives), excluded } }),
      { code: 'bad-batch', message },
    );
  assert.throws(
    () =>
      new TreeHopTrainer(parameters).loss({
        ...batch,
        pool: { positives: Int32Array.of(0), excluded: [[]] },
      }),
    { code: 'bad-batch' },
  );
});
