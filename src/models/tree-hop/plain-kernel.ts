/**
 * The kernel of TreeHop in plain JavaScript: every sum in the order of kernel.wat, every step
 * rounded to f32, so the same bits.
 */
import type { AdamWFactors, MatrixKernel } from './matrix-kernel.ts';

const { fround, sqrt } = Math;

export function plainKernel(floats: Float32Array): MatrixKernel {
  return {
    floats,
    dots: (left, rows, right, rightRows, width, out, outStride) => {
      for (let l = 0; l < rows; l++)
        for (let r = 0; r < rightRows; r++)
          floats[out + l * outStride + r] = dot(floats, left + l * width, right + r * width, width);
    },
    products: (a, rows, terms, b, bStride, columns, out, outStride) => {
      if (terms === 0) return;
      const sums = new Float32Array(columns);
      for (let i = 0; i < rows; i++) {
        sums.fill(0);
        // Row i is the (i modulo 4)th of its four.
        const row = a + (i - (i % 4)) * terms + (i % 4);
        for (let k = 0; k < terms; k++)
          addMultiple(floats, floats[row + 4 * k]!, b + k * bStride, sums);
        floats.set(sums, out + i * outStride);
      }
    },
    adamW: (gap, count, factors) => adamW(floats, gap, count, factors),
  };
}

function dot(floats: Float32Array, left: number, right: number, width: number): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  for (let at = 0; at < width; at += 4) {
    s0 = fround(s0 + fround(floats[left + at]! * floats[right + at]!));
    s1 = fround(s1 + fround(floats[left + at + 1]! * floats[right + at + 1]!));
    s2 = fround(s2 + fround(floats[left + at + 2]! * floats[right + at + 2]!));
    s3 = fround(s3 + fround(floats[left + at + 3]! * floats[right + at + 3]!));
  }
  return fround(fround(s0 + s2) + fround(s1 + s3));
}

function addMultiple(floats: Float32Array, factor: number, from: number, sums: Float32Array): void {
  for (let j = 0; j < sums.length; j++) sums[j] = sums[j]! + fround(factor * floats[from + j]!);
}

function adamW(floats: Float32Array, gap: number, count: number, factors: AdamWFactors): void {
  const [decay, beta1, rest1, beta2, rest2] = [
    factors.decay,
    factors.beta1,
    factors.rest1,
    factors.beta2,
    factors.rest2,
  ].map(fround) as [number, number, number, number, number];
  const [rate, root, epsilon] = [
    fround(factors.rate),
    fround(factors.root),
    fround(factors.epsilon),
  ];
  for (let w = 0; w < count; w++) {
    const [g, m, v] = [w + gap, w + 2 * gap, w + 3 * gap];
    const gradient = floats[g]!;
    floats[m] = fround(beta1 * floats[m]!) + fround(rest1 * gradient);
    floats[v] = fround(beta2 * floats[v]!) + fround(rest2 * fround(gradient * gradient));
    const below = fround(fround(fround(sqrt(floats[v]!)) / root) + epsilon);
    floats[w] = fround(decay * floats[w]!) - fround(fround(rate * floats[m]!) / below);
  }
}
