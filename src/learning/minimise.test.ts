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

const near = (found: Float64Array, wanted: readonly number[], within = 1e-3): void =>
  wanted.forEach(
    (value, i) => void assert.ok(Math.abs(found[i]! - value) < within, `${found} is not ${wanted}`),
  );

test('finds the middle of bowls, round and long', () => {
  near(minimise(2, bowl([1, 1], [3, -2])), [3, -2]);
  near(minimise(3, bowl([1, 100, 10_000], [5, -1, 0.5])), [5, -1, 0.5]);
  const many = Array.from({ length: 40 }, (_, i) => i - 20);
  near(
    minimise(
      40,
      bowl(
        many.map((_, i) => 1 + i),
        many,
      ),
    ),
    many,
  );
});

test('needs few evaluations where the curvature differs by 10,000', () => {
  let evaluations = 0;
  const long = bowl([1, 10_000], [1, 1]);
  minimise(2, (at, gradient) => {
    evaluations++;
    return long(at, gradient);
  });
  assert.ok(evaluations < 40, `${evaluations}`);
});

test('follows a curved valley, and shortens steps that climb', () => {
  // log(e^(x - 3) + e^(-x)) + y²: its minimum in x is 1.5, where both terms are equal.
  const valley: Objective = ([x = 0, y = 0], gradient) => {
    const [a, b] = [Math.exp(x - 3), Math.exp(-x)];
    gradient[0] = (a - b) / (a + b);
    gradient[1] = 2 * y;
    return Math.log(a + b) + y * y;
  };
  near(minimise(2, valley), [1.5, 0]);
  // A first step of length 1 along the steep gradient overshoots: it is halved until it descends.
  near(minimise(1, bowl([1e6], [1e-3])), [1e-3], 1e-6);
});

test('starts from zero, stops at a flat gradient, and after so many iterations', () => {
  assert.deepEqual([...minimise(2, bowl([1, 1], [0, 0]))], [0, 0]);
  assert.deepEqual([...minimise(1, bowl([1], [9]), 0)], [0]);
  // One iteration moves by 1 towards the minimum: the gradient of 9, divided by its length.
  assert.deepEqual([...minimise(1, bowl([1], [9]), 1)], [1]);
  assert.deepEqual([...minimise(1, bowl([1], [-9]), 1)], [-1]);
});
