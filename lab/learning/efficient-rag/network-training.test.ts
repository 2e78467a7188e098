/** Compares one step of the training with slopes of the loss by differences. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logitOf, type Network } from '../../../src/models/efficient-rag/network.ts';
import { type Labelled, trainNetwork } from './network-training.ts';

const SETTINGS = { hidden: 3, buckets: 4, epochs: 1, rate: 0.5, seed: 7 };

const loss = (network: Network, { features, label }: Labelled): number => {
  const logit = logitOf(network, features);
  return Math.log(1 + Math.exp(label ? -logit : logit));
};

for (const seed of [1, 2, 3, 4, 5])
  for (const label of [true, false])
    test(`seed ${seed}, ${label}: every weight takes one step of AdaGrad down its slope`, () => {
      const thing: Labelled = {
        features: { dense: Float64Array.of(0.7, 0, -1.3, 0.4), crossed: [1, 6] },
        label,
      };
      const settings = { ...SETTINGS, seed };
      const before = trainNetwork([thing], 4, { ...settings, epochs: 0 });
      const after = trainNetwork([thing], 4, settings);
      for (const part of ['first', 'last', 'table'] as const)
        for (const [at, weight] of before[part].entries()) {
          const moved = (by: number): number =>
            loss({ ...before, [part]: before[part].with(at, weight + by) }, thing);
          const slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
          const expected = weight - (settings.rate * slope) / Math.sqrt(1 + slope * slope);
          assert.ok(
            Math.abs(after[part][at]! - expected) < 1e-6,
            `${part} ${at}: ${after[part][at]} instead of ${expected}`,
          );
        }
    });

test('first weights lie within one over the root of the number of inputs', () => {
  const { first } = trainNetwork([], 100, { ...SETTINGS, hidden: 5, epochs: 0 });
  const most = Math.max(...first.map(Math.abs));
  assert.ok(most <= 0.1 && most > 0.09, `${most}`);
});
