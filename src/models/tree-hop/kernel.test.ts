/** The kernel of TreeHop: WebAssembly and plain JavaScript to the bit, and both against float64. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mulberry32 } from '../../core/mulberry32.ts';
import { createMatrixKernel, padded, strideOf } from './kernel.ts';
import type { MatrixKernel } from './matrix-kernel.ts';

/** The same floats in both kernels. */
function both(length: number, seed: number): [MatrixKernel, MatrixKernel] {
  const random = mulberry32(seed);
  const values = Float32Array.from({ length }, () => 2 * random() - 1);
  return [createMatrixKernel(length, 'fast'), createMatrixKernel(length, 'plain')].map(kernel => {
    kernel.floats.set(values);
    return kernel;
  }) as [MatrixKernel, MatrixKernel];
}

test('WebAssembly is available, so that these tests compare two kernels', () => {
  assert.ok(
    createMatrixKernel(8, 'fast').floats.buffer.byteLength >
      createMatrixKernel(8, 'plain').floats.buffer.byteLength,
  );
});

test('dots', () => {
  const sizes$ = fc.record({
    rows: fc.nat({ max: 11 }),
    right: fc.integer({ min: 1, max: 4 }),
    width: fc.integer({ min: 1, max: 9 }),
    seed: fc.nat(),
  });
  fc.assert(
    fc.property(sizes$, ({ rows, right, width, seed }) => {
      const [rightRows, stride, outStride] = [8 * right, 8 * width, 8 * right + 8];
      const rightAt = rows * stride;
      const out = rightAt + rightRows * stride;
      const kernels = both(out + rows * outStride, seed);
      for (const kernel of kernels)
        kernel.dots(0, rows, rightAt, rightRows, stride, out, outStride);
      const [{ floats }, plain] = kernels;
      assert.deepEqual(floats, plain.floats);
      for (let l = 0; l < rows; l++)
        for (let r = 0; r < rightRows; r++) {
          let sum = 0;
          for (let k = 0; k < stride; k++)
            sum += floats[l * stride + k]! * floats[rightAt + r * stride + k]!;
          assert.ok(Math.abs(floats[out + l * outStride + r]! - sum) <= stride * 2 ** -23);
        }
    }),
    { numRuns: 150 },
  );
});

test('products', () => {
  const sizes$ = fc.record({
    rows: fc.nat({ max: 11 }),
    terms: fc.integer({ min: 1, max: 20 }),
    panels: fc.integer({ min: 1, max: 4 }),
    seed: fc.nat(),
  });
  fc.assert(
    fc.property(sizes$, ({ rows, terms, panels, seed }) => {
      const [columns, stride] = [8 * panels, 8 * panels + 8];
      const b = 4 * Math.ceil(rows / 4) * terms;
      const out = b + terms * stride;
      const panel = out + rows * stride;
      const kernels = both(panel + 8 * terms, seed);
      for (const kernel of kernels)
        kernel.products(0, rows, terms, b, stride, columns, out, stride, panel);
      const [{ floats }, plain] = kernels;
      assert.deepEqual(floats.subarray(0, panel), plain.floats.subarray(0, panel));
      for (let i = 0; i < rows; i++)
        for (let j = 0; j < columns; j++) {
          let sum = 0;
          for (let k = 0; k < terms; k++)
            sum += floats[(i - (i % 4)) * terms + 4 * k + (i % 4)]! * floats[b + k * stride + j]!;
          assert.ok(Math.abs(floats[out + i * stride + j]! - sum) <= terms * 2 ** -22);
        }
    }),
    { numRuns: 150 },
  );
});

test('a step of AdamW changes no memory behind the weights', () => {
  const factors = {
    decay: 0.999,
    beta1: 0.9,
    rest1: 0.1,
    beta2: 0.99,
    rest2: 0.01,
    rate: 0.02,
    root: 0.3,
    epsilon: 1e-8,
  };
  const [count, gap] = [24, 32];
  const kernels = both(4 * gap, 5);
  const before = kernels[0].floats.map(Math.abs);
  for (const { floats } of kernels) floats.set(before);
  for (const kernel of kernels) kernel.adamW(gap, count, factors);
  const [{ floats }, plain] = kernels;
  assert.deepEqual(floats, plain.floats);
  for (let w = 0; w < count; w++) {
    const [weight, g, m, v] = [0, 1, 2, 3].map(region => before[region * gap + w]!) as [
      number,
      number,
      number,
      number,
    ];
    const [first, second] = [0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g];
    assert.ok(
      Math.abs(floats[w]! - (0.999 * weight - (0.02 * first) / (Math.sqrt(second) / 0.3 + 1e-8))) <
        1e-6,
    );
    assert.equal(floats[w + gap], g);
  }
  for (let w = count; w < gap; w++)
    for (let region = 0; region < 4; region++)
      assert.equal(floats[region * gap + w], before[region * gap + w]);
});

test('pads widths to eight, and never to a multiple of 128', () => {
  assert.deepEqual([1, 8, 9, 384, 1024].map(padded), [8, 8, 16, 384, 1024]);
  assert.deepEqual(
    [1, 8, 120, 128, 384, 392, 1024].map(strideOf),
    [8, 8, 120, 136, 392, 392, 1032],
  );
});
