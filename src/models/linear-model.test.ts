/** Tests weighted sums on small models: unknown features, several outputs, ties. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestOutput, type LinearModel, probabilityOf, scoresOf, sigmoid } from './linear-model.ts';

const MODEL: LinearModel = {
  outputs: ['name', 'date', 'place'],
  bias: [1, 0, 1],
  weights: new Map([
    ['who', [2, 0, -1]],
    ['when', [-1, 3, 0]],
  ]),
};
const of = (features: Readonly<Record<string, number>>) => new Map(Object.entries(features));

test('scores are sums with the bias; features that the model lacks count nothing', () => {
  assert.deepEqual(scoresOf(MODEL, of({ who: 0.5, when: 2, where: 9 })), [0, 6, 0.5]);
  assert.deepEqual(scoresOf(MODEL, of({})), [1, 0, 1]);
  assert.deepEqual(MODEL.bias, [1, 0, 1]);
});

test('the best of the allowed outputs, the first of equals', () => {
  const all = (): boolean => true;
  assert.equal(bestOutput(MODEL, of({}), all), 'name');
  assert.equal(bestOutput(MODEL, of({ when: 1 }), all), 'date');
  assert.equal(
    bestOutput(MODEL, of({}), output => output !== 'name'),
    'place',
  );
  assert.equal(
    bestOutput(MODEL, of({ when: 9 }), output => output !== 'date'),
    'place',
  );
});

test('a probability is the logistic function of the only score', () => {
  const binary = { outputs: ['yes'], bias: [0], weights: new Map([['x', [1]]]) };
  assert.equal(probabilityOf(binary, of({})), 0.5);
  assert.equal(probabilityOf(binary, of({ x: 2 })), sigmoid(2));
  assert.ok(Math.abs(sigmoid(2) + sigmoid(-2) - 1) < 1e-12);
  assert.deepEqual([sigmoid(-1e4), sigmoid(1e4)], [0, 1]);
});
