import assert from 'node:assert/strict';
import test from 'node:test';
import { mulberry32 } from '../core/mulberry32.ts';
import {
  interval,
  pairedDifference,
  resampledValues,
  resampledValuesInSteps,
  type Series,
} from './bootstrap.ts';
import type { Measure, Score } from './example.ts';
import { measure } from './measures.ts';
import { drawResamples, drawResamplesInSteps } from './resamples.ts';
import { quantile, valueOfScores } from './value-of-scores.ts';

/** Slow and obvious: draw indices, copy scores, combine. */
function naive(
  measure: Measure,
  scores: readonly (Score | undefined)[],
  resamples: number,
  seed: number,
): number[] {
  const random = mulberry32(seed);
  return Array.from({ length: resamples }, () => {
    const drawn = scores.map(() => scores[Math.floor(random() * scores.length)]);
    return valueOfScores(measure, drawn)?.value ?? Number.NaN;
  });
}

const random = mulberry32(7);
const n = 53;
const shares = Array.from({ length: n }, () => Math.round(random() * 4) / 4);
const holes = shares.map((value, i) => (i % 3 === 0 ? undefined : value));
const ratios = shares.map((_, i) => ({ numerator: i % 4, denominator: 1 + (i % 5) }));
const types = ['comparison', 'inference', 'null'];
const labels = shares.map((_, i) => ({
  [`gold ${types[i % 3]}`]: 1,
  [`predicted ${types[i % 2]}`]: 1,
  ...(i % 3 === i % 2 && Object.fromEntries([[`hit ${types[i % 3]}`, 1]])),
}));
const plain: Measure = { name: 'Plain', summary: '', score: () => 0 };
const odd: Measure = {
  name: 'Odd',
  summary: '',
  score: () => 0,
  combine: scores => Math.max(...(scores as number[])),
};

const series: readonly Series[] = [
  { measure: plain, scores: shares },
  { measure: plain, scores: holes },
  { measure: plain, scores: ratios },
  { measure: measure('Milliseconds(p95)'), scores: shares.map((_, i) => (i * 37) % 101) },
  { measure: measure('Milliseconds(p50)'), scores: holes },
  { measure: measure('TypeF1(macro)'), scores: labels },
  { measure: measure('TypeF1(weighted)'), scores: labels },
  {
    measure: measure('HopF1@2(of-means)'),
    scores: shares.map((recall, i) => ({ precision: (i % 7) / 7, recall })),
  },
  { measure: odd, scores: holes },
];

test('the bootstrap by counts agrees with the one by indices, for every way of combining', () => {
  const fast = resampledValues(drawResamples(n, { resamples: 400, seed: 11 }), series);
  for (const [index, { measure, scores }] of series.entries()) {
    const slow = naive(measure, scores, 400, 11);
    for (const [b, value] of slow.entries())
      assert.ok(
        Math.abs(value - fast[index]![b]!) < 1e-12,
        `${measure.name}, resample ${b}: ${value} ${fast[index]![b]}`,
      );
  }
});

test('paired differences use the same resamples: a constant lead has no width', () => {
  const lead = shares.map(value => value + 0.25);
  const [a, b] = resampledValues(drawResamples(n, { resamples: 500 }), [
    { measure: plain, scores: lead },
    { measure: plain, scores: shares },
  ]);
  const difference = pairedDifference(a!, b!)!;
  assert.ok(Math.abs(difference.low - 0.25) < 1e-12 && Math.abs(difference.high - 0.25) < 1e-12);
  assert.equal(difference.shareAGreater, 1);
  assert.equal(pairedDifference(a!, a!)!.shareAGreater, 0, 'ties are not greater');
});

test('quantiles are of type 7', () => {
  // numpy.quantile([1, 2, 4, 8], [0, .25, .5, .95, 1]) = 1, 1.75, 3, 7.4, 8
  for (const [at, value] of [
    [0, 1],
    [0.25, 1.75],
    [0.5, 3],
    [0.95, 7.4],
    [1, 8],
  ] as const)
    assert.ok(Math.abs(quantile([1, 2, 4, 8], at) - value) < 1e-12);
});

test('the paper-sized interval is pinned: 375 right of 1,000, B = 10,000, seed 20231226', () => {
  const scores = Array.from({ length: 1000 }, (_, i) => Number(i % 8 < 3));
  const [values] = resampledValues(drawResamples(1000), [{ measure: plain, scores }]);
  const found = interval(values!)!;
  assert.deepEqual(found, { low: 0.345, high: 0.405 });
});

test('a resample without any scored question has no value, and intervals leave it out', () => {
  const lonely = [1, undefined, undefined, undefined, undefined, undefined];
  const [values] = resampledValues(drawResamples(6, { resamples: 200 }), [
    { measure: plain, scores: lonely },
  ]);
  assert.ok(values!.some(Number.isNaN));
  assert.deepEqual(interval(values!), { low: 1, high: 1 });
  assert.equal(interval(new Float64Array([Number.NaN])), undefined);
});

test('long resampling comes in steps, with the values of one call', () => {
  const n = 1000;
  const scores = Array.from({ length: n }, (_, at) => at % 7);
  const plain: Measure = { name: 'Plain', summary: '', score: () => 0 };
  const combined: Measure = {
    name: 'Most',
    summary: '',
    score: () => 0,
    combine: all => Math.max(...(all as number[])),
  };
  const drawing = drawResamplesInSteps(n, { resamples: 2000 });
  let steps = 0;
  for (const work of drawing) {
    assert.ok(work <= 1 << 18, `${work} counts in one step`);
    steps++;
  }
  assert.ok(steps >= (2000 * n) / (1 << 18) - 1);
  const drawn = drawResamples(n, { resamples: 2000 });
  const series = [plain, combined].map(measure => ({ measure, scores }));
  const summing = resampledValuesInSteps(drawn, series);
  let step = summing.next();
  for (steps = 0; !step.done; step = summing.next(), steps++)
    assert.ok(step.value <= 1 << 18, `${step.value} counts in one step`);
  assert.ok(steps > (2 * 2000 * n) / (1 << 18));
  assert.deepEqual(step.value, resampledValues(drawn, series));
});
