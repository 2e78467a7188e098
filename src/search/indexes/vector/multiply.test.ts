/**
 * Tests that both paths of matrix products agree to the bit, and checks them against exact
 * arithmetic.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { innerProduct, sumOfSizes } from '../../../../test/oracles/vector-oracle.ts';
import { multiply } from './multiply.ts';

const matrix$ = (rows: number, k: number): fc.Arbitrary<Float32Array> =>
  fc
    .array(fc.float({ noNaN: true, noDefaultInfinity: true }), {
      minLength: rows * k,
      maxLength: rows * k,
    })
    .map(list => Float32Array.from(list));

test('returns the same bits with and without WebAssembly, including -0, overflow and underflow', () => {
  const product$ = fc
    .record({ m: fc.nat({ max: 9 }), n: fc.nat({ max: 9 }), k: fc.integer({ min: 1, max: 40 }) })
    .chain(({ m, n, k }) => fc.tuple(matrix$(m, k), matrix$(n, k), fc.constant(k)));
  fc.assert(
    fc.property(product$, ([left, right, k]) => {
      assert.deepEqual(
        [...multiply(left, right, k, 'fast')],
        [...multiply(left, right, k, 'plain')],
      );
    }),
    { numRuns: 400 },
  );
});

test('accepts matrices larger than the scratch memory, of changing widths', () => {
  for (const [m, n, k] of [
    [130, 600, 33],
    [3, 257, 384],
    [65, 1, 7],
    [1, 256, 33],
  ] as const) {
    const left = Float32Array.from({ length: m * k }, (_, i) => Math.sin(i));
    const right = Float32Array.from({ length: n * k }, (_, i) => Math.cos(i * 1.7));
    const product = multiply(left, right, k, 'fast');
    assert.deepEqual(product, multiply(left, right, k, 'plain'));
    assert.equal(product.length, m * n);
    for (let i = 0; i < m; i += 13) {
      for (let j = 0; j < n; j += 7) {
        const [a, b] = [left.subarray(i * k, (i + 1) * k), right.subarray(j * k, (j + 1) * k)];
        assert.ok(
          Math.abs(product[i * n + j]! - innerProduct(a, b)) <=
            (k / 8 + 4) * 2 ** -24 * sumOfSizes(a, b),
        );
      }
    }
  }
});

test('hand-worked: left times the transpose of right', () => {
  // [1 2; 3 4] x [5 6; 7 8]^T = [17 23; 39 53]
  assert.deepEqual(
    multiply(Float32Array.of(1, 2, 3, 4), Float32Array.of(5, 6, 7, 8), 2),
    Float32Array.of(17, 23, 39, 53),
  );
  assert.deepEqual(multiply(new Float32Array(0), Float32Array.of(5, 6), 2), new Float32Array(0));
  assert.deepEqual(
    [...multiply(Float32Array.of(NaN, Infinity), Float32Array.of(1, 0), 1)],
    [NaN, NaN, Infinity, NaN],
  );
});

test('invalid input is rejected by name', () => {
  for (const k of [0, -1, 1.5, NaN])
    assert.throws(() => multiply(new Float32Array(2), new Float32Array(2), k), {
      code: 'bad-dimensions',
    });
  assert.throws(() => multiply(new Float32Array(5), new Float32Array(4), 2), {
    code: 'wrong-dimensions',
    message: /left/,
    received: '1 in row 2',
  });
  assert.throws(() => multiply(new Float32Array(4), new Float32Array(3), 2), {
    code: 'wrong-dimensions',
    message: /right/,
    received: '1 in row 1',
  });
});
