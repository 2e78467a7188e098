/**
 * Checks checkpoints of the fact reader: they survive a round trip, broken ones name the invalid
 * field, and the shipped one is small and has provenance.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bestOutput, type LinearModel, probabilityOf, scoresOf } from '../linear-model.ts';
import {
  type FactModel,
  QUESTION_TYPES,
  readFactCheckpoint,
  writeFacts,
} from './fact-checkpoint.ts';
import { shippedFacts } from './shipped.ts';

const checkpoint = (output: string, ...weights: [string, number][]): LinearModel => ({
  outputs: [output],
  bias: [0.5],
  weights: new Map(weights.map(([name, weight]) => [name, [weight]])),
});
const model: FactModel = {
  type: { outputs: QUESTION_TYPES, bias: [0, 1, -1], weights: new Map([['^ who', [-1, 2, 0.25]]]) },
  answerable: checkpoint('answerable', ['clauses.mean', 2], ['support.names', 0.0001]),
  form: checkpoint('answerable', ['^ considering', -1]),
  entity: checkpoint('answer', ['documents', 3]),
};

describe('a checkpoint', () => {
  const text = writeFacts({ model, provenance: { dataset: 'fiction' } });

  test('survives a round trip, except for negligible weights', () => {
    const read = readFactCheckpoint(JSON.parse(text));
    assert.deepEqual(read.provenance, { dataset: 'fiction' });
    assert.deepEqual([...read.model.answerable.weights], [['clauses.mean', [2]]]);
    assert.deepEqual(read.model.type, model.type);
    assert.equal(writeFacts(read), text);
  });

  type Written = {
    format: string;
    parts: Record<string, { outputs?: unknown; bias?: unknown; weights?: unknown } | undefined>;
  };
  const broken: readonly [string, (all: Written) => unknown, RegExp][] = [
    ['format', all => (all.format = 'other'), /its format/],
    ['part', all => (all.parts['form'] = undefined), /parts\.form/],
    ['outputs', all => (all.parts['type']!.outputs = ['inference']), /parts\.type\.outputs/],
    ['bias', all => (all.parts['type']!.bias = [0, 1]), /parts\.type\.bias/],
    [
      'weight',
      all => (all.parts['entity']!.weights = { documents: 'much' }),
      /weights\["documents"\]/,
    ],
    ['weights', all => (all.parts['entity']!.weights = []), /parts\.entity\.weights/],
  ];
  for (const [what, breaks, message] of broken)
    test(`with an invalid ${what} is refused by name`, () => {
      const all = JSON.parse(text) as Written;
      breaks(all);
      assert.throws(() => readFactCheckpoint(all), { code: 'bad-checkpoint', message });
    });
});

test('a linear model adds weights and ignores unknown features', () => {
  const features = new Map([
    ['^ who', 1],
    ['never seen', 7],
  ]);
  assert.deepEqual(scoresOf(model.type, features), [-1, 3, -0.75]);
  assert.equal(
    bestOutput(model.type, features, () => true),
    'inference',
  );
  assert.equal(
    bestOutput(model.type, features, output => output !== 'inference'),
    'temporal',
  );
  assert.equal(probabilityOf(checkpoint('yes'), new Map()), 1 / (1 + Math.exp(-0.5)));
});

test('the shipped checkpoint has provenance', () => {
  const { provenance } = shippedFacts();
  assert.match(String(provenance['trainedBy']), /learn fact-reader/);
  assert.ok(Array.isArray(provenance['heldOut']));
});
