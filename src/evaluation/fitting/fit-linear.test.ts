/** Checks the fits of linear models at their minimum: there the gradient of the loss is zero. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mulberry32 } from '../../core/mulberry32.ts';
import { type Features, type LinearModel, scoresOf } from '../../models/linear-model.ts';
import { fitLinear, fitRanker, type Group, type Labelled } from './fit-linear.ts';

const random = mulberry32(11);
const NAMES = ['a', 'b', 'c', 'd'];
const drawn = (): Features =>
  new Map(NAMES.filter(() => random() < 0.7).map(name => [name, 2 * random() - 0.5]));

/** Asserts that no weight can move by a thousandth and lower the loss. */
function assertLowest(model: LinearModel, loss: (model: LinearModel) => number): void {
  const least = loss(model);
  const tried = (weights: LinearModel['weights'], bias: readonly number[]): void =>
    assert.ok(loss({ ...model, weights, bias }) > least - 1e-9);
  for (const by of [-1e-3, 1e-3]) {
    for (const [name, weights] of model.weights)
      for (const [at, weight] of weights.entries())
        tried(new Map([...model.weights, [name, weights.with(at, weight + by)]]), model.bias);
    for (const [at, bias] of model.bias.entries())
      tried(model.weights, model.bias.with(at, bias + by));
  }
}

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);
const squares = ({ weights }: LinearModel): number =>
  sum([...weights.values()].flat().map(weight => weight ** 2));
const shares = (scores: readonly number[]): number[] => {
  const powers = scores.map(Math.exp);
  return powers.map(power => power / sum(powers));
};

describe('fitLinear', () => {
  for (const outputs of [['one'], ['one', 'two', 'three']]) {
    const labels = Math.max(2, outputs.length);
    const things = Array.from({ length: 60 }, (): Labelled => {
      const features = drawn();
      const label = (features.get('a') ?? 0) > 0.4 ? 0 : Math.floor(random() * labels);
      return { features, label };
    });
    const loss = (l2: number) => (model: LinearModel) =>
      (l2 / 2) * squares(model) -
      sum(
        things.map(({ features, label }) => {
          const scores = scoresOf(model, features);
          // One output stands against a score of 0.
          return Math.log(shares(scores.length === 1 ? [...scores, 0] : [...scores])[label]!);
        }),
      );

    for (const l2 of [0.1, 3])
      test(`${outputs.length} outputs, penalty ${l2}: no weight can lower the loss`, () => {
        const model = fitLinear(things, outputs, { l2, least: 1 });
        assert.deepEqual([model.outputs, [...model.weights.keys()]], [outputs, NAMES]);
        assertLowest(model, loss(l2));
        // The bias is free: on average the outputs are as frequent as their labels.
        const mean = sum(
          things.map(({ features }) => {
            const scores = [...scoresOf(model, features)];
            return shares(scores.length === 1 ? [...scores, 0] : scores)[0]!;
          }),
        );
        const share = things.filter(({ label }) => label === 0).length;
        assert.ok(Math.abs(mean - share) < 0.01, `${mean} of ${share}`);
      });
  }

  test('great scores do not overflow', () => {
    const great: Labelled[] = [0, 1, 0, 1].map(label => ({
      features: new Map([['x', label === 0 ? 5000 : -5000]]),
      label,
    }));
    const model = fitLinear(great, ['x'], { l2: 1e-9, least: 1 });
    assert.ok(scoresOf(model, great[0]!.features)[0]! > 5);
  });
});

describe('fitRanker', () => {
  const groups = Array.from({ length: 40 }, (): Group => {
    const features = Array.from({ length: 4 }, drawn);
    const values = features.map(each => (each.get('b') ?? 0) + random());
    const most = Math.max(...values);
    return { features, right: values.map(value => value > most - 0.2) };
  });
  const loss = (l2: number) => (model: LinearModel) =>
    (l2 / 2) * squares(model) -
    sum(
      groups
        .filter(({ right }) => right.includes(false))
        .map(({ features, right }) => {
          const shareOf = shares(features.map(each => scoresOf(model, each)[0]!));
          return Math.log(sum(shareOf.filter((_, at) => right[at])));
        }),
    );

  for (const l2 of [0.1, 3])
    test(`penalty ${l2}: no weight can lower the loss, and the bias stays zero`, () => {
      const model = fitRanker(groups, 'right', { l2, least: 1 });
      assert.deepEqual([model.outputs, model.bias], [['right'], [0]]);
      assert.deepEqual([...model.weights.keys()], NAMES);
      assertLowest(model, each => loss(l2)({ ...each, bias: [0] }));
    });

  test('groups that are all right or all wrong do not count, not even their features', () => {
    const useless = [true, false].map(
      (right): Group => ({
        features: [new Map([['z', 1]]), new Map([['a', 9]])],
        right: [right, right],
      }),
    );
    const settings = { l2: 1, least: 1 };
    assert.deepEqual(
      fitRanker([...groups, ...useless], 'right', settings),
      fitRanker(groups, 'right', settings),
    );
  });
});

test('features of so many items are kept, sorted, and rarer ones are not', () => {
  const items = [['y', 'x'], ['x', 'z'], ['x', 'y'], []].map(names => ({
    features: new Map(names.map(name => [name, 1])),
    label: 0,
  }));
  const names = (least: number): string[] => [
    ...fitLinear(items, ['o'], { l2: 1, least }).weights.keys(),
  ];
  assert.deepEqual(
    [names(1), names(2), names(3), names(4)],
    [['x', 'y', 'z'], ['x', 'y'], ['x'], []],
  );
  const group: Group = {
    features: items.map(({ features }) => features),
    right: [true, false, false, false],
  };
  const ranked = fitRanker([group], 'o', { l2: 1, least: 2 });
  assert.deepEqual([...ranked.weights.keys()], ['x', 'y']);
});
