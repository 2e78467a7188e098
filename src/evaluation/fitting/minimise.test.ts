/** Tests L-BFGS against minima that are known in closed form. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minimise, type Objective } from './minimise.ts';

/** Half of the sum of `weights[i] (x[i] - middle[i])²`. */
const bowl =
  (weights: readonly number[], middle: readonly number[]): Objective =>
  (at, gradient) =>
    weights.reduce((sum, weight, i) => {
      const away = at[i]! - middle[i]!;
      gradient[i] = weight * away;
      return sum + (weight * away * away) / 2;
    }, 0);

const near = (found: Float64Array, expected: readonly number[], within = 1e-3): void =>
  expected.forEach(
    (value, i) =>
      void assert.ok(Math.abs(found[i]! - value) < within, `${found} is not ${expected}`),
  );

test('starts from zero, stops at a flat gradient, and after so many iterations', () => {
  assert.deepEqual([...minimise(2, bowl([1, 1], [0, 0]))], [0, 0]);
  assert.deepEqual([...minimise(1, bowl([1], [9]), 0)], [0]);
  // One iteration moves by 1 towards the minimum: the gradient of 9, divided by its length.
  assert.deepEqual([...minimise(1, bowl([1], [9]), 1)], [1]);
  assert.deepEqual([...minimise(1, bowl([1], [-9]), 1)], [-1]);
});

/** The same steps with the inverse of the curvature as a matrix (formula 7.16 of the method). */
function slowly(size: number, objective: Objective, iterations: number): number[] {
  const slope = (at: readonly number[]): { value: number; gradient: number[] } => {
    const gradient = new Float64Array(size);
    return { value: objective(Float64Array.from(at), gradient), gradient: [...gradient] };
  };
  const dot = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  const times = (m: readonly (readonly number[])[], v: readonly number[]): number[] =>
    m.map(row => dot(row, v));
  const pairs: { s: number[]; y: number[] }[] = [];
  let at: number[] = Array(size).fill(0);
  let now = slope(at);
  for (let iteration = 0; iteration < iterations; iteration++) {
    const last = pairs.at(-1);
    const scale = last ? dot(last.s, last.y) / dot(last.y, last.y) : 1;
    let inverse = at.map((_, i) => at.map((_, j) => (i === j ? scale : 0)));
    for (const { s, y } of pairs) {
      const share = 1 / dot(s, y);
      // (I - share s yᵀ) H (I - share y sᵀ) + share s sᵀ
      const hy = times(inverse, y);
      const yhy = dot(y, hy);
      inverse = inverse.map((row, i) =>
        row.map(
          (value, j) =>
            value -
            share * (s[i]! * hy[j]! + hy[i]! * s[j]!) +
            (share * share * yhy + share) * s[i]! * s[j]!,
        ),
      );
    }
    const direction = times(inverse, now.gradient).map(part => -part);
    const descent = dot(direction, now.gradient);
    let length = last ? 1 : 1 / Math.max(1, Math.sqrt(dot(now.gradient, now.gradient)));
    let next = at;
    let there = now;
    for (; ; length /= 2) {
      next = at.map((value, i) => value + length * direction[i]!);
      there = slope(next);
      if (there.value <= now.value + 1e-4 * length * descent) break;
    }
    const s = next.map((value, i) => value - at[i]!);
    pairs.push({ s, y: there.gradient.map((value, i) => value - now.gradient[i]!) });
    if (pairs.length > 10) pairs.shift();
    [at, now] = [next, there];
  }
  return at;
}

test('takes the steps of the method with the last ten pairs, written as a matrix', () => {
  // Convex, and of no simple curvature: sum of log cosh, and a bowl that couples neighbours.
  const objective: Objective = (at, gradient) => {
    let value = 0;
    gradient.fill(0);
    for (let i = 0; i < at.length; i++) {
      const away = at[i]! - (i - 3);
      value += (1 + i * i) * Math.log(Math.cosh(away));
      gradient[i]! += (1 + i * i) * Math.tanh(away);
      const next = at[i + 1];
      if (next === undefined) continue;
      const apart = at[i]! + 2 * next;
      value += 3 * apart * apart;
      gradient[i]! += 6 * apart;
      gradient[i + 1]! += 12 * apart;
    }
    return value;
  };
  for (const iterations of [1, 2, 3, 6, 11, 13, 15])
    near(minimise(8, objective, iterations), slowly(8, objective, iterations), 1e-7);
});

test('stops where no component of the gradient exceeds 0.0001', () => {
  const steps = (middle: readonly number[]): number => {
    let evaluations = 0;
    const round = bowl([1, 1], middle);
    minimise(2, (at, gradient) => {
      evaluations++;
      return round(at, gradient);
    });
    return evaluations;
  };
  assert.equal(steps([1e-4, -1e-4]), 1);
  assert.ok(steps([0, -1.01e-4]) > 1);
  assert.ok(steps([1.01e-4, 0]) > 1);
});

test('ends where no step descends, and skips pairs of no positive curvature', () => {
  let evaluations = 0;
  // The gradient points up the hill: no step along it helps.
  const found = minimise(1, (at, gradient) => {
    evaluations++;
    gradient[0] = -1;
    return at[0]!;
  });
  assert.deepEqual([...found], [0]);
  // The first value, then steps of 1, 1/2, 1/4, ... until one is less than 1e-10: 2^-34.
  assert.equal(evaluations, 1 + 34);
  // Linear, so without curvature, up to 2.5 and a bowl from there.
  const bent: Objective = (at, gradient) => {
    const away = at[0]! - 2.5;
    gradient[0] = away < 0 ? -4 : -4 + 2 * away;
    return -4 * away + (away < 0 ? 0 : away * away);
  };
  near(minimise(1, bent), [4.5]);
});
