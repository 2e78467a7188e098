/**
 * Tests the learning of the fact reader: minima of convex functions, linear models on small
 * problems, and folds.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mulberry32 } from '../../../src/core/mulberry32.ts';
import type { Example } from '../../../src/evaluation/example.ts';
import { fitLinear, fitRanker, type Labelled } from '../../../src/evaluation/fitting/fit-linear.ts';
import { factFolds } from '../../../src/evaluation/fitting/folds.ts';
import { minimise } from '../../../src/evaluation/fitting/minimise.ts';
import { type Features, probabilityOf, scoresOf } from '../../../src/models/linear-model.ts';

const features = (fields: Record<string, number>): Features => new Map(Object.entries(fields));

describe('minimise', () => {
  test('finds the minimum of an ill-conditioned quadratic', () => {
    const target = [3, -2, 0.5, 10];
    const least = minimise(4, (at, gradient) => {
      let value = 0;
      for (const [i, goal] of target.entries()) {
        const steep = 10 ** i;
        gradient[i] = steep * (at[i]! - goal);
        value += (steep * (at[i]! - goal) ** 2) / 2;
      }
      return value;
    });
    for (const [i, goal] of target.entries())
      assert.ok(Math.abs(least[i]! - goal) < 1e-3, `${i}: ${least[i]}`);
  });
});

describe('linear models', () => {
  test('fit the odds of the counts for one feature, without a penalty', () => {
    const things = ['a', 'a', 'a', 'a'].map(
      (_, index): Labelled => ({ features: features({ a: 1 }), label: index === 0 ? 1 : 0 }),
    );
    const rest = [0, 0, 1, 1].map((label): Labelled => ({ features: features({ b: 1 }), label }));
    const model = fitLinear([...things, ...rest], ['it'], { l2: 1e-6, least: 1 });
    assert.ok(Math.abs(probabilityOf(model, features({ a: 1 })) - 0.75) < 1e-3);
    assert.ok(Math.abs(probabilityOf(model, features({ b: 1 })) - 0.5) < 1e-3);
  });

  test('have zero slope of the penalised loss, by differences', () => {
    const random = mulberry32(3);
    const things = Array.from(
      { length: 40 },
      (): Labelled => ({
        features: features({ x: random(), y: random() - 0.5, z: random() }),
        label: Math.floor(random() * 3),
      }),
    );
    const l2 = 0.7;
    const model = fitLinear(things, ['a', 'b', 'c'], { l2, least: 1 });
    const loss = (shift: number, name: string, output: number): number => {
      const weights = new Map(
        [...model.weights].map(([key, weights]) => [
          key,
          weights.map((w, k) => (key === name && k === output ? w + shift : w)),
        ]),
      );
      const moved = { ...model, weights };
      const squares = [...weights.values()].flat().reduce((sum, w) => sum + w * w, 0);
      return things.reduce(
        (sum, { features: inputs, label }) => {
          const scores = scoresOf(moved, inputs);
          return (
            sum + Math.log(scores.reduce((all, score) => all + Math.exp(score), 0)) - scores[label]!
          );
        },
        (l2 * squares) / 2,
      );
    };
    for (const name of ['x', 'y', 'z'])
      for (const output of [0, 1, 2])
        assert.ok(Math.abs(loss(1e-4, name, output) - loss(-1e-4, name, output)) / 2e-4 < 1e-3);
  });

  test('omit rare features, and are deterministic', () => {
    const things = [0, 1, 0, 1].map(
      (label, index): Labelled => ({
        features: features({ often: label, [`once ${index}`]: 1 }),
        label,
      }),
    );
    const model = fitLinear(things, ['it'], { l2: 1, least: 2 });
    assert.deepEqual([...model.weights.keys()], ['often']);
    assert.deepEqual(fitLinear(things, ['it'], { l2: 1, least: 2 }), model);
  });

  test('rank the right item first, and ignore groups without one', () => {
    const group = {
      features: [features({ good: 1 }), features({ bad: 1 }), features({})],
      right: [true, false, false],
    };
    const model = fitRanker(
      [group, group, { features: [features({ bad: 1 })], right: [false] }],
      'answer',
      { l2: 0.1, least: 1 },
    );
    const [good, bad, none] = group.features.map(features => scoresOf(model, features)[0]!);
    assert.ok(good! > none! && none! > bad!);
  });
});

describe('folds', () => {
  const example = (
    id: number,
    text: string,
    gold: readonly string[],
    answer = 'Yes',
    type = 'comparison',
  ): Example => ({
    id: String(id),
    question: { id: String(id), text },
    answers: [answer],
    type,
    gold: gold.map(documentId => ({ documentId, title: '' })),
  });

  test('group the same documents, the same entity and nearly the same words', () => {
    const examples = [
      example(0, 'Did the kelp beds of Brightwater grow?', ['a', 'b']),
      example(1, 'Has the mayor opened a drying shed?', ['b', 'a']),
      example(2, 'Who runs the ferries?', ['c'], 'Mara Quist', 'inference'),
      example(3, 'Which woman raised all fares in January?', ['d'], 'Mara Quist', 'inference'),
      example(
        4,
        'Which comet did the astronomer of Mount Ilvane discover in spring?',
        [],
        '',
        'null',
      ),
      example(
        5,
        'Which comet did the astronomer of Mount Ilvane discover in autumn?',
        [],
        '',
        'null',
      ),
      ...Array.from({ length: 20 }, (_, index) =>
        example(6 + index, `Topic${index} of shape${index}?`, [`x${index}`]),
      ),
    ];
    const fold = factFolds(examples, 5);
    assert.equal(fold[0], fold[1]);
    assert.equal(fold[2], fold[3]);
    assert.equal(fold[4], fold[5]);
    assert.equal(new Set(fold).size, 5);
  });
});
