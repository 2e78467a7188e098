/**
 * Multiplies a matrix with the transpose of another: the batched linear maps of models that run in
 * this process.
 */
import { InputError } from '../../../core/errors.ts';
import type { SearchMode } from '../../../core/search-mode.ts';
import { createKernel, type Kernel, QUERIES_A_PASS } from './kernel.ts';
import { strideOf } from './rows.ts';

/** Rows of each matrix in memory at once. */
const LEFT = 64;
const RIGHT = 256;

/**
 * Returns the m x n product of `left` (m x k) and the transpose of `right` (n x k), all contiguous.
 *
 * Each number is an inner product in f32: eight partial sums, the dimensions modulo 8, each added
 * in ascending order; then s(i) + s(i+4) = t(i), and (t0 + t2) + (t1 + t3). The bits are the same
 * with and without WebAssembly, on any machine. NaN and Infinity propagate as in IEEE 754; the
 * payload of a NaN may differ.
 *
 * Throws `InputError('bad-dimensions')` if k is not a whole number from 1,
 * `InputError('wrong-dimensions')` if the last row of a matrix is incomplete.
 */
export function multiply(
  left: Float32Array,
  right: Float32Array,
  k: number,
  mode: SearchMode = 'auto',
): Float32Array {
  const m = countMatrixRows(left, k, 'left');
  const n = countMatrixRows(right, k, 'right');
  const product = new Float32Array(m * n);
  const scratch = mode === 'plain' || m === 0 || n === 0 ? undefined : scratchFor(strideOf(k));
  if (scratch === undefined) plainProducts(left, right, k, product);
  else kernelProducts(scratch, left, right, k, product);
  return product;
}

function countMatrixRows(matrix: Float32Array, k: number, side: string): number {
  if (!Number.isInteger(k) || k < 1)
    throw new InputError('bad-dimensions', 'Invalid row length of a matrix', {
      expected: 'a whole number from 1',
      received: String(k),
    });
  if (matrix.length % k === 0) return matrix.length / k;
  throw new InputError('wrong-dimensions', `The last row of the ${side} matrix is incomplete`, {
    expected: `rows of ${k} numbers`,
    received: `${matrix.length % k} in row ${Math.floor(matrix.length / k)}`,
  });
}

/**
 * Adds in the order of `floats4` of kernel.wat. Zeros that pad a row change no bit of a sum, since
 * none is ever -0.
 */
function plainProducts(
  left: Float32Array,
  right: Float32Array,
  k: number,
  product: Float32Array,
): void {
  const { fround } = Math;
  const sums = new Float32Array(8);
  for (let i = 0, out = 0; i < left.length; i += k) {
    for (let j = 0; j < right.length; j += k) {
      sums.fill(0);
      for (let at = 0; at < k; at++)
        sums[at & 7] = sums[at & 7]! + fround(left[i + at]! * right[j + at]!);
      for (let t = 0; t < 4; t++) sums[t] = sums[t]! + sums[t + 4]!;
      product[out++] = fround(sums[0]! + sums[2]!) + fround(sums[1]! + sums[3]!);
    }
  }
}

interface Scratch {
  readonly kernel: Kernel;
  /** Floats per row with its padding. */
  readonly stride: number;
}

/** Memory shared by all products, which is safe because a product is synchronous. */
let kept: Scratch | undefined;

function scratchFor(stride: number): Scratch | undefined {
  if (kept?.stride === stride) return kept;
  const room = 4 * ((LEFT + RIGHT) * stride + RIGHT * QUERIES_A_PASS);
  const kernel =
    kept !== undefined && kept.kernel.buffer.byteLength >= room ? kept.kernel : createKernel(room);
  if (kernel === undefined) return undefined;
  kept = { kernel, stride };
  return kept;
}

function kernelProducts(
  { kernel, stride }: Scratch,
  left: Float32Array,
  right: Float32Array,
  k: number,
  product: Float32Array,
): void {
  const floats = new Float32Array(kernel.buffer);
  const rightAt = LEFT * stride;
  const outAt = rightAt + RIGHT * stride;
  const [m, n] = [left.length / k, right.length / k];
  for (let j = 0; j < n; j += RIGHT) {
    const columns = Math.min(RIGHT, n - j);
    copyRows(right, j, columns, k, floats, rightAt, stride);
    for (let i = 0; i < m; i += LEFT) {
      const rows = Math.min(LEFT, m - i);
      copyRows(left, i, rows, k, floats, 0, stride);
      for (let row = 0; row < rows; row += QUERIES_A_PASS) {
        kernel.floats4(4 * row * stride, 4 * rightAt, columns, 4 * stride, 4 * outAt);
        for (let q = 0; q < QUERIES_A_PASS && row + q < rows; q++) {
          const to = (i + row + q) * n + j;
          for (let column = 0; column < columns; column++)
            product[to + column] = floats[outAt + column * QUERIES_A_PASS + q]!;
        }
      }
    }
  }
}

function copyRows(
  from: Float32Array,
  first: number,
  count: number,
  k: number,
  to: Float32Array,
  at: number,
  stride: number,
): void {
  for (let row = 0; row < count; row++, at += stride) {
    to.set(from.subarray((first + row) * k, (first + row + 1) * k), at);
    to.fill(0, at + k, at + stride);
  }
}
