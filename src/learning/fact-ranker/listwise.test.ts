/**
 * The listwise loss: no slope at its least by a slow reading, right ones first where they can be
 * told, and what must change nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mulberry32 } from '../../indexes/mulberry32.ts';
import { scoresOf, type Weights } from '../../models/fact-ranker/fact-ranker.ts';
import { fitListwise, type Listed } from './listwise.ts';

const NAMES = ['x', 'y', 'z'];

/** Questions of some candidates, whose features say something of which are right, but not all. */
function questionsOf(seed: number, count = 12, size = 7): Listed[] {
  const random = mulberry32(seed);
  return Array.from({ length: count }, () => {
    const right = Array.from({ length: size }, (_, at) => at === 0 || random() < 0.2);
    const column = (told: number, stretch: number): Float64Array =>
      Float64Array.from(right, yes => stretch * (random() + (yes ? told * random() : 0)));
    const seen = Array.from(right.keys()).filter(() => random() < 0.9);
    return { features: { x: column(1, 1), y: column(0.3, 10), z: column(-0.5, 0.1) }, right, seen };
  });
}

/** Weighed by saying each question as often as it counts. */
const repeated = (questions: readonly Listed[]): Listed[] =>
  questions.flatMap(({ weight = 1, ...question }) =>
    Array.from({ length: weight }, () => question),
  );

/**
 * - mean log p of the right ones, p the softmax over all that may be seen, and the penalty, from
 * the words of the definition.
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
    const wanted = seen.filter(at => right[at]);
    return wanted.reduce((sum, at) => sum + total - scores[at]!, 0) / wanted.length;
  });
  return penalty + losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
}

test('at the weights the slow loss has no slope, by differences, and is less than around them', () => {
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
      // In units of the standardised feature, as the search for the least sees it.
      assert.ok(Math.abs(at(step) - at(-step)) < 1e-4, `${name}: ${at(step) - at(-step)}`);
      assert.ok(at(30 * step) > least && at(-30 * step) > least, name);
    }
  }
});

test('on questions that a feature tells apart the right one comes first', () => {
  const separable = [3, 1, 4].map(
    (right): Listed => ({
      features: {
        x: Float64Array.from([0, 1, 2, 3, 4], at => Number(at === right) + at / 10),
        y: Float64Array.of(4, 3, 2, 1, 0),
        z: Float64Array.of(0, 1, 0, 1, 0),
      },
      right: [0, 1, 2, 3, 4].map(at => at === right),
      seen: [0, 1, 2, 3, 4],
    }),
  );
  const learnt = fitListwise(separable, NAMES);
  // Where all is told apart, only the penalty keeps the weights small: it has no slope either.
  for (const name of NAMES) {
    const at = (shift: number): number =>
      slowLoss(separable, { ...learnt, [name]: learnt[name]! + shift });
    assert.ok(Math.abs(at(1e-2) - at(-1e-2)) < 1e-5, `${name}: ${at(1e-2) - at(-1e-2)}`);
  }
  for (const { features, right } of separable) {
    const scores = scoresOf(features, learnt, 5);
    assert.equal(scores.indexOf(Math.max(...scores)), right.indexOf(true));
  }
});

test('a stretched feature has a weight that is as much smaller', () => {
  for (const factor of [8, 0.25, -3]) {
    const plain = fitListwise(questionsOf(4), NAMES);
    const stretched = fitListwise(
      questionsOf(4).map(one => ({
        ...one,
        features: { ...one.features, x: one.features['x']!.map(value => value * factor + 5) },
      })),
      NAMES,
    );
    // Weights are rounded, and the search for the least stops near it.
    assert.ok(
      Math.abs(stretched['x']! * factor - plain['x']!) < 1e-2,
      `${stretched['x']! * factor} ${plain['x']}`,
    );
    assert.ok(Math.abs(stretched['y']! - plain['y']!) < 1e-2);
  }
});

test('questions without a right candidate that may be seen change nothing', () => {
  const questions = questionsOf(5);
  const weights = fitListwise(questions, NAMES);
  const [first] = questionsOf(6);
  const without = [
    { ...first!, right: first!.right.map(() => false) },
    { ...first!, seen: first!.seen.filter(at => !first!.right[at]) },
    { ...first!, seen: [] },
    {
      features: { x: new Float64Array(0), y: new Float64Array(0), z: new Float64Array(0) },
      right: [],
      seen: [],
    },
  ];
  assert.deepEqual(fitListwise([without[0]!, ...questions, ...without.slice(1)], NAMES), weights);
});

test('what may not be seen changes nothing, right or wrong', () => {
  const questions = questionsOf(7);
  const weights = fitListwise(questions, NAMES);
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
  assert.deepEqual(fitListwise(changed, NAMES), weights);
});

test('nothing to learn from: all weights are 0', () => {
  const zero = { x: 0, y: 0, z: 0 };
  assert.deepEqual(fitListwise([], NAMES), zero);
  const [question] = questionsOf(8);
  assert.deepEqual(
    fitListwise(
      [{ ...question!, right: question!.right.map(() => true) }].map(one => ({
        ...one,
        seen: [0],
      })),
      NAMES,
    ),
    zero,
  );
});

test('a feature that never differs has no weight, and takes none from the others', () => {
  for (const value of [0, 0.3, 1 / 3, 1000.1]) {
    const questions = questionsOf(9).map(one => ({
      ...one,
      features: { ...one.features, z: one.features['z']!.map(() => value) },
    }));
    const { x, y, z } = fitListwise(questions, NAMES);
    assert.equal(Math.abs(z!), 0, `${value}: ${z}`);
    const alone = fitListwise(questions, ['x', 'y']);
    assert.ok(Math.abs(alone['x']! - x!) < 1e-3 && Math.abs(alone['y']! - y!) < 1e-3);
  }
});

test('a feature that differs between questions alone, never within one, has next to no weight', () => {
  const questions = questionsOf(10).map((one, at) => ({
    ...one,
    features: { ...one.features, z: one.features['z']!.map(() => at) },
  }));
  assert.ok(Math.abs(fitListwise(questions, NAMES)['z']!) < 1e-3);
});

test('the order of questions and of candidates hardly changes the weights; the same gives the same to the digit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1000 }), seed => {
      const questions = questionsOf(seed, 6, 5);
      const weights = fitListwise(questions, NAMES);
      assert.deepEqual(fitListwise(questionsOf(seed, 6, 5), NAMES), weights);
      const turned = [...questions].reverse().map(({ features, right, seen }) => ({
        features: Object.fromEntries(
          Object.entries(features).map(([name, column]) => [name, column.toReversed()]),
        ),
        right: [...right].reverse(),
        seen: seen.map(at => right.length - 1 - at),
      }));
      const other = fitListwise(turned, NAMES);
      assert.ok(Math.abs(slowLoss(questions, other) - slowLoss(questions, weights)) < 1e-4);
      for (const weight of Object.values(weights)) assert.ok(Number.isFinite(weight));
    }),
    { numRuns: 25 },
  );
});

/**
 * Features may weigh each other out where the loss is flat: so much of it is what stopping near the
 * least may cost.
 */
const NEAR = 1e-4;

test('a question of weight n counts as the same question n times, and one of weight 0 as none', () => {
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
        for (const name of NAMES)
          assert.ok(Number.isFinite(fitted[name]), `${name}: ${fitted[name]}`);
        if (slow.length === 0) return assert.deepEqual(fitted, twice);
        // Columns are standardised over the rows as they stand, which only the penalty feels.
        const [least, got] = [slowLoss(slow, twice), slowLoss(slow, fitted)];
        assert.ok(got < least + 20 * NEAR, `${got} instead of ${least}`);
        return undefined;
      },
    ),
    { numRuns: 60 },
  );
});

test('what weighs more is heard more: of two that contradict each other the heavier one wins, and alike they cancel out', () => {
  const at = (right: number, weight?: number): Listed => ({
    features: { x: Float64Array.of(0, 1), y: new Float64Array(2), z: new Float64Array(2) },
    right: [right === 0, right === 1],
    seen: [0, 1],
    ...(weight === undefined ? {} : { weight }),
  });
  const x = (...questions: readonly Listed[]): number => fitListwise(questions, NAMES)['x']!;
  // Of loss (wa log(1 + e^-x) + wb log(1 + e^x)) / (wa + wb), but for the penalty, the least lies
  // at x = log(wa / wb).
  for (const [heavy, light] of [
    [3, 1],
    [1, 0.25],
    [1, 1 / 3],
    [7, 7],
    [1e-3, 1e-4],
  ] as const) {
    const [one, two] = [x(at(1, heavy), at(0, light)), x(at(0, heavy), at(1, light))];
    const exact = Math.log(heavy / light);
    assert.ok(Math.abs(one - exact) < 0.02, `${one} instead of ${exact}`);
    assert.ok(Math.abs(one + two) < 1e-3, `${one} ${two}`);
  }
  assert.ok(Math.abs(x(at(1, 4), at(0)) - Math.log(4)) < 0.02, 'without a weight it is 1');
});

test('no weight is a weight of 1, to the digit; weights are shares: as large or as small as one likes', () => {
  for (const seed of [11, 12, 13]) {
    const questions = questionsOf(seed);
    const weights = fitListwise(questions, NAMES);
    assert.deepEqual(
      fitListwise(
        questions.map((one, at) => (at % 2 === 0 ? { ...one, weight: 1 } : one)),
        NAMES,
      ),
      weights,
    );
    const some = questions.map((one, at) => ({ ...one, weight: 1 + (at % 3) }));
    const loss = slowLoss(repeated(some), fitListwise(some, NAMES));
    for (const factor of [1e-9, 1 / 3, 1e9]) {
      const scaled = fitListwise(
        some.map(one => ({ ...one, weight: one.weight * factor })),
        NAMES,
      );
      assert.ok(Math.abs(slowLoss(repeated(some), scaled) - loss) < NEAR, `times ${factor}`);
    }
  }
});

test('a question without a right candidate that may be seen takes no share, whatever its weight', () => {
  const questions = questionsOf(14).map((one, at) => ({ ...one, weight: 1 + (at % 2) }));
  const [lost] = questionsOf(15);
  const without = { ...lost!, right: lost!.right.map(() => false), weight: 1e6 };
  assert.deepEqual(
    fitListwise([without, ...questions, without], NAMES),
    fitListwise(questions, NAMES),
  );
});

test('where all weigh nothing, nothing is learnt', () => {
  const nothing = questionsOf(16).map(one => ({ ...one, weight: 0 }));
  for (const [name, weight] of Object.entries(fitListwise(nothing, NAMES)))
    assert.equal(Math.abs(weight), 0, name);
});

test('a question of weight 0 changes nothing, however odd its numbers', () => {
  const questions = questionsOf(17);
  const [odd] = questionsOf(18);
  const none = {
    ...odd!,
    features: { ...odd!.features, x: odd!.features['x']!.map(value => 100 * value) },
    weight: 0,
  };
  assert.deepEqual(fitListwise([...questions, none], NAMES), fitListwise(questions, NAMES));
});
