/**
 * Tests the listwise loss: zero slope at its minimum by a slow implementation, ranking of separable
 * candidates, and invariances.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mulberry32 } from '../../../src/core/mulberry32.ts';
import { scoresOf, type Weights } from '../../../src/models/fact-ranker/fact-ranker.ts';
import { fitListwise, type Listed } from './listwise.ts';

const NAMES = ['x', 'y', 'z'];

/** Returns questions with some candidates, whose features correlate with the labels. */
function questionsOf(seed: number, count = 12, size = 7): Listed[] {
  const random = mulberry32(seed);
  return Array.from({ length: count }, () => {
    const right = Array.from({ length: size }, (_, at) => at === 0 || random() < 0.2);
    const column = (gain: number, stretch: number): Float64Array =>
      Float64Array.from(right, yes => stretch * (random() + (yes ? gain * random() : 0)));
    const seen = Array.from(right.keys()).filter(() => random() < 0.9);
    return { features: { x: column(1, 1), y: column(0.3, 10), z: column(-0.5, 0.1) }, right, seen };
  });
}

/** Applies weights by repeating each question. */
const repeated = (questions: readonly Listed[]): Listed[] =>
  questions.flatMap(({ weight = 1, ...question }) =>
    Array.from({ length: weight }, () => question),
  );

/**
 * Computes the definition: - mean log p of the right candidates, with p the softmax over all seen
 * ones, plus the penalty.
 */
function slowLoss(questions: readonly Listed[], weights: Weights): number {
  const useful = questions.filter(({ seen, right }) => seen.some(at => right[at]));
  const rows = useful.flatMap(({ features, seen }) =>
    seen.map(at => NAMES.map(name => features[name]![at]!)),
  );
  const deviation = NAMES.map((_, feature) => {
    const values = rows.map(row => row[feature]!);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  });
  const penalty = NAMES.reduce(
    (sum, name, feature) => sum + 1e-3 * (weights[name]! * deviation[feature]!) ** 2,
    0,
  );
  const losses = useful.map(({ features, right, seen }) => {
    const scores = scoresOf(features, weights, right.length);
    const total = Math.log(seen.reduce((sum, at) => sum + Math.exp(scores[at]!), 0));
    const rightOnes = seen.filter(at => right[at]);
    return rightOnes.reduce((sum, at) => sum + total - scores[at]!, 0) / rightOnes.length;
  });
  return penalty + losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
}

test('the slow loss has zero slope at the weights, by differences, and is greater around them', () => {
  for (const seed of [1, 2, 3]) {
    const questions = questionsOf(seed);
    const weights = fitListwise(questions, NAMES);
    const least = slowLoss(questions, weights);
    assert.ok(least < slowLoss(questions, { x: 0, y: 0, z: 0 }) - 0.05);
    for (const [name, step] of [
      ['x', 1e-2],
      ['y', 1e-3],
      ['z', 1e-1],
    ] as const) {
      const at = (shift: number): number =>
        slowLoss(questions, { ...weights, [name]: weights[name]! + shift });
      // In units of the standardised feature, as in the optimisation.
      assert.ok(Math.abs(at(step) - at(-step)) < 1e-4, `${name}: ${at(step) - at(-step)}`);
      assert.ok(at(30 * step) > least && at(-30 * step) > least, name);
    }
  }
});

test('ignores unseen candidates, and questions without a seen right one, whatever their weight', () => {
  const questions = questionsOf(5);
  const weights = fitListwise(questions, NAMES);
  const [first] = questionsOf(6);
  const useless = [
    { ...first!, right: first!.right.map(() => false), weight: 1e6 },
    { ...first!, seen: first!.seen.filter(at => !first!.right[at]) },
    { ...first!, seen: [] },
    { ...first!, weight: 0 },
  ];
  const changed = questions.map(({ features, right, seen }) => ({
    right: right.map((yes, at) => (seen.includes(at) ? yes : !yes)),
    features: Object.fromEntries(
      Object.entries(features).map(([name, column]) => [
        name,
        column.map((value, at) => (seen.includes(at) ? value : 1e6 * (at + 1))),
      ]),
    ),
    seen,
  }));
  assert.deepEqual(fitListwise([useless[0]!, ...changed, ...useless.slice(1)], NAMES), weights);
});

test('all weights are 0 without useful questions', () => {
  const zero = { x: 0, y: 0, z: 0 };
  assert.deepEqual(fitListwise([], NAMES), zero);
  const [question] = questionsOf(8);
  assert.deepEqual(
    fitListwise(
      [{ ...question!, right: question!.right.map(() => true) }].map(question => ({
        ...question,
        seen: [0],
      })),
      NAMES,
    ),
    zero,
  );
});

test('a constant feature has weight 0 and does not affect others', () => {
  for (const value of [0, 0.3, 1 / 3, 1000.1]) {
    const questions = questionsOf(9).map(question => ({
      ...question,
      features: { ...question.features, z: question.features['z']!.map(() => value) },
    }));
    const { x, y, z } = fitListwise(questions, NAMES);
    assert.equal(Math.abs(z!), 0, `${value}: ${z}`);
    const alone = fitListwise(questions, ['x', 'y']);
    assert.ok(Math.abs(alone['x']! - x!) < 1e-3 && Math.abs(alone['y']! - y!) < 1e-3);
  }
});

test('a question of weight n counts as n repetitions', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1000 }),
      fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 8, maxLength: 8 }),
      (seed, weights) => {
        const questions = questionsOf(seed, 8, 5).map((question, at) => ({
          ...question,
          weight: weights[at]!,
        }));
        const [fitted, slow] = [fitListwise(questions, NAMES), repeated(questions)];
        const twice = fitListwise(slow, NAMES);
        const scaled = fitListwise(
          questions.map(question => ({ ...question, weight: question.weight / 3 })),
          NAMES,
        );
        for (const name of NAMES)
          assert.ok(Number.isFinite(fitted[name]), `${name}: ${fitted[name]}`);
        const teach = slow.some(({ seen, right }) => seen.some(at => right[at]));
        if (!teach) return assert.deepEqual(fitted, twice);
        // Features may compensate each other, and the optimisation stops near the minimum.
        const [least, got] = [slowLoss(slow, twice), slowLoss(slow, fitted)];
        assert.ok(got < least + 2e-3, `${got} instead of ${least}`);
        assert.ok(Math.abs(slowLoss(slow, scaled) - got) < 1e-4, 'only proportions count');
        return undefined;
      },
    ),
    // No question of the example teaches anything: none has a right candidate among those seen.
    { numRuns: 60, examples: [[967, [0, 0, 0, 0, 0, 0, 1, 0]]] },
  );
});
