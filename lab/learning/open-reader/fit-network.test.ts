/** Checks the network's fit against Adam over numeric gradients of the loss, and its settings. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mulberry32 } from '../../../src/core/mulberry32.ts';
import { type SpanNetwork, spanScore } from '../../../src/models/open-reader/span-network.ts';
import { FeatureTable } from './feature-table.ts';
import { fitNetwork, type NetworkSettings, type SpanGroup } from './fit-network.ts';
import { RowScores } from './row-scores.ts';

type Span = Readonly<Record<string, number>>;
interface Question {
  readonly spans: readonly Span[];
  readonly right: readonly boolean[];
}

const SETTINGS: NetworkSettings = {
  units: 3,
  epochs: 4,
  rate: 0.05,
  l2: 0.01,
  dropout: 0,
  batch: 8,
  least: 1,
  members: 1,
};
const hidden = (name: string): boolean => name !== 'word';
const QUESTIONS: readonly Question[] = [
  {
    spans: [{ near: 1, word: 1 }, { far: 0.5, near: -1 }, { far: 2 }, { word: 2, far: 1 }],
    right: [true, false, true, false],
  },
  {
    spans: [{ near: 2 }, { far: 1, word: 1 }, { near: 0.25, far: 1 }],
    right: [false, true, false],
  },
];

function fitted(
  questions: readonly Question[],
  change: Partial<NetworkSettings> = {},
): SpanNetwork {
  const table = new FeatureTable();
  const groups = questions.map(
    ({ spans, right }): SpanGroup => ({
      rows: spans.map(span => table.row(new Map(Object.entries(span)))),
      right,
    }),
  );
  return fitNetwork(groups, table.names, hidden, { ...SETTINGS, ...change });
}

/** Returns all weights in one list: sums and units by name, biases, outputs. */
const listOf = ({ weights, biases, outputs }: SpanNetwork): number[] => [
  ...[...weights].flatMap(([, { sum, units }]) => [sum, ...units]),
  ...[...biases, ...outputs],
];

/** Returns a network of the shape of `like` with the weights of the list. */
function networkOf(list: readonly number[], like: SpanNetwork): SpanNetwork {
  const left = [...list];
  return {
    weights: new Map(
      [...like.weights].map(([name, { units }]) => [
        name,
        { sum: left.shift()!, units: left.splice(0, units.length) },
      ]),
    ),
    biases: left.splice(0, like.biases.length),
    outputs: left,
  };
}

/** Minus the logarithm of the share of all right spans, by the definition. */
function lossOf(network: SpanNetwork, { spans, right }: Question): number {
  const powers = spans.map(span => Math.exp(spanScore(network, new Map(Object.entries(span)))));
  const sum = (some: readonly number[]): number => some.reduce((total, each) => total + each, 0);
  return -Math.log(sum(powers.filter((_, at) => right[at])) / sum(powers));
}

/** Steps by Adam over all questions at once, with gradients by central differences. */
function slowFit(
  questions: readonly Question[],
  steps: readonly number[],
  l2: number,
): SpanNetwork {
  const start = fitted(questions, { epochs: 0 });
  const weights = listOf(start);
  const loss = (list: readonly number[]): number => {
    const network = networkOf(list, start);
    return questions.reduce((sum, each) => sum + lossOf(network, each), 0) / questions.length;
  };
  const isBias = (at: number): boolean => {
    const biases = weights.length - start.outputs.length - start.biases.length;
    return at >= biases && at < biases + start.biases.length;
  };
  const [means, squares] = [weights.map(() => 0), weights.map(() => 0)];
  for (const [step, rate] of steps.entries()) {
    const gradient = weights.map((value, at) => {
      const moved = (by: number): number => loss(weights.with(at, value + by));
      return (moved(1e-6) - moved(-1e-6)) / 2e-6 + (isBias(at) ? 0 : l2 * value);
    });
    for (const [at, slope] of gradient.entries()) {
      means[at] = 0.9 * means[at]! + 0.1 * slope;
      squares[at] = 0.999 * squares[at]! + 0.001 * slope ** 2;
      const mean = means[at]! / (1 - 0.9 ** (step + 1));
      const square = squares[at]! / (1 - 0.999 ** (step + 1));
      weights[at]! -= (rate * mean) / (Math.sqrt(square) + 1e-8);
    }
  }
  return networkOf(weights, start);
}

function assertNear(found: SpanNetwork, expected: SpanNetwork): void {
  assert.deepEqual([...found.weights.keys()], [...expected.weights.keys()]);
  const [ours, theirs] = [listOf(found), listOf(expected)];
  assert.equal(ours.length, theirs.length);
  for (const [at, weight] of ours.entries())
    assert.ok(Math.abs(weight - theirs[at]!) < 1e-4, `weight ${at}: ${weight}, ${theirs[at]}`);
}

test('equals Adam over numeric gradients, whose rate falls to none', () => {
  const steps = [1, 0.75, 0.5, 0.25].map(share => share * SETTINGS.rate);
  assertNear(fitted(QUESTIONS), slowFit(QUESTIONS, steps, SETTINGS.l2));
});

test('a batch steps by its mean gradient, the last and smaller one too', () => {
  const same = Array.from({ length: 5 }, () => QUESTIONS[0]!);
  const steps = [1, 1, 1, 0.5, 0.5, 0.5].map(share => share * SETTINGS.rate);
  assertNear(fitted(same, { batch: 2, epochs: 2 }), slowFit(same.slice(0, 1), steps, SETTINGS.l2));
});

test('questions with right spans alone, or wrong ones alone, change nothing', () => {
  const [{ spans }] = QUESTIONS as [Question];
  const useless = [true, false].map(right => ({ spans, right: spans.map(() => right) }));
  assert.deepEqual(fitted([QUESTIONS[0]!, ...useless]), fitted(QUESTIONS.slice(0, 1)));
});

describe('the start', () => {
  const start = fitted(QUESTIONS, { epochs: 0, units: 2000 });
  const spread = (values: readonly number[]): number =>
    Math.sqrt(values.reduce((sum, each) => sum + each ** 2, 0) / values.length);

  test('sums and biases are zero', () => {
    assert.ok([...start.weights.values()].every(({ sum }) => sum === 0));
    assert.ok(start.biases.every(bias => bias === 0));
  });

  test('units and outputs are normal, with a deviation of 0.15', () => {
    for (const values of [start.weights.get('near')!.units, start.outputs]) {
      assert.equal(values.length, 2000);
      assert.ok(Math.abs(spread(values) - 0.15) < 0.01, `${spread(values)}`);
      const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
      assert.ok(Math.abs(mean) < 0.015, `${mean}`);
      const within = values.filter(value => Math.abs(value) < 0.15).length / values.length;
      assert.ok(Math.abs(within - 0.683) < 0.04, `${within}`);
    }
  });
});

test('members start differently, and their mean is the score', () => {
  const [single, double] = [fitted(QUESTIONS), fitted(QUESTIONS, { members: 2 })];
  const { units } = SETTINGS;
  assert.deepEqual(
    double.outputs.slice(0, units),
    single.outputs.map(output => output / 2),
  );
  assert.deepEqual(double.biases.slice(0, units), single.biases);
  assert.notDeepEqual(double.outputs.slice(units), double.outputs.slice(0, units));
  const other: SpanNetwork = {
    weights: new Map(
      [...double.weights].map(([name, weights]) => [
        name,
        { sum: 2 * weights.sum - single.weights.get(name)!.sum, units: weights.units.slice(units) },
      ]),
    ),
    biases: double.biases.slice(units),
    outputs: double.outputs.slice(units).map(output => 2 * output),
  };
  for (const span of QUESTIONS.flatMap(({ spans }) => spans)) {
    const [a, b, mean] = [single, other, double].map(each =>
      spanScore(each, new Map(Object.entries(span))),
    ) as [number, number, number];
    assert.ok(Math.abs((a + b) / 2 - mean) < 1e-9);
  }
});

test('a unit that a question does not use learns nothing from it', () => {
  const questions = QUESTIONS.slice(0, 1);
  const change = { units: 200, l2: 0 };
  const start = fitted(questions, { ...change, epochs: 0 });
  const moved = (dropout: number): number => {
    const { outputs } = fitted(questions, { ...change, dropout, epochs: 1 });
    return outputs.filter((output, unit) => output !== start.outputs[unit]).length;
  };
  const all = moved(0);
  assert.ok(all > 100, `${all}`);
  for (const dropout of [0.25, 0.75]) {
    const share = moved(dropout) / all;
    assert.ok(Math.abs(share - (1 - dropout)) < 0.12, `${dropout}: ${share}`);
  }
});

test('features of so many spans are kept, and of fewer are not', () => {
  const names = (least: number): string[] => [...fitted(QUESTIONS, { least }).weights.keys()];
  // "near" is in four spans, "word" in three, "far" in five.
  assert.deepEqual(names(3).toSorted(), ['far', 'near', 'word']);
  assert.deepEqual(names(4).toSorted(), ['far', 'near']);
  assert.deepEqual(names(5), ['far']);
});

test('features outside the units have a sum alone', () => {
  const { weights } = fitted(QUESTIONS);
  assert.deepEqual(weights.get('word')!.units, []);
  assert.notEqual(weights.get('word')!.sum, 0);
  assert.equal(weights.get('near')!.units.length, SETTINGS.units);
});

test('units rank by either of two features and not both, which no weighted sum does', () => {
  const spans = [
    ['one', 'or'],
    ['other', 'or'],
    ['one', 'other'],
    ['none', 'or'],
  ].map(names => new Map(names.map(name => [name, 1])));
  const table = new FeatureTable();
  const random = mulberry32(5);
  const lessons = Array.from({ length: 120 }, (): SpanGroup => {
    const shown = [spans[random() < 0.5 ? 0 : 1]!, spans[2]!, spans[3]!];
    return { rows: shown.map(span => table.row(span)), right: [true, false, false] };
  });
  const settings = {
    units: 8,
    epochs: 60,
    rate: 0.02,
    l2: 0.0005,
    dropout: 0.1,
    batch: 8,
    least: 3,
    members: 2,
  };
  const network = fitNetwork(lessons, table.names, () => true, settings);
  const scores = spans.map(span => spanScore(network, span));
  assert.ok(Math.min(scores[0]!, scores[1]!) > Math.max(scores[2]!, scores[3]!), String(scores));
  const rows = spans.map(span => table.row(span));
  for (const [at, score] of new RowScores(table).of(rows, network).entries())
    assert.ok(Math.abs(score - scores[at]!) < 1e-6);
});
