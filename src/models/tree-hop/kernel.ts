/** The three products of linear maps and AdamW over one memory of floats: in WebAssembly SIMD (kernel.wat), or plain with the same bits. */
import type { SearchMode } from '../../indexes/search-mode.ts';
import { compileModule, createMemory, instantiate } from '../../indexes/web-assembly.ts';
import { KERNEL_BASE64 } from './kernel.wasm.ts';
import { plainKernel } from './plain-kernel.ts';

/** Rows are padded with zeros to a multiple of so many floats, matrices to as many rows. */
export const STEP = 8;
export const padded = (length: number): number => Math.ceil(length / STEP) * STEP;
/** Rows that are a power of two apart would fall on one set of the first-level cache: those get eight zeros more. */
export const strideOf = (width: number): number => (padded(width) % 128 === 0 ? padded(width) + STEP : padded(width));

/** Places are indices into `floats`; strides are floats from one row to the next. */
export interface MatrixKernel {
  readonly floats: Float32Array;
  /** out[l, r] = left row l · right row r; both have rows of `width`, adjacent. `rightRows` and `width` are multiples of 8. */
  dots(left: number, rows: number, right: number, rightRows: number, width: number, out: number, outStride: number): void;
  /**
   * out[i, j] = Σ over k < terms of a[i, k] b[k, j]. `a` is packed: in fours of rows, of each k four adjacent floats. `columns` is a multiple
   * of 8; `panel` is room for 8 · terms floats.
   */
  products(
    a: number,
    rows: number,
    terms: number,
    b: number,
    bStride: number,
    columns: number,
    out: number,
    outStride: number,
    panel: number,
  ): void;
  /** One step for the `count` weights from 0 on; gradients, first and second moments follow, each `gap` floats after the last. */
  adamW(gap: number, count: number, factors: AdamWFactors): void;
}

/** w = w·decay; m = β₁m + rest₁g; v = β₂v + rest₂g²; w = w - rate·m / (√v / root + ε). */
export interface AdamWFactors {
  readonly decay: number;
  readonly beta1: number;
  readonly rest1: number;
  readonly beta2: number;
  readonly rest2: number;
  readonly rate: number;
  readonly root: number;
  readonly epsilon: number;
}

const PAGE = 65536;
/** One short of 4 GiB, so that every address fits in 32 bits. */
const MOST_PAGES = 65535;

let module: object | undefined | null = null;

/** A memory of so many floats, all zero, and what computes in it. `mode` 'plain' never uses WebAssembly. */
export function createMatrixKernel(floats: number, mode: SearchMode = 'auto'): MatrixKernel {
  if (module === null && mode !== 'plain') module = compileModule(KERNEL_BASE64);
  const pages = Math.max(1, Math.ceil((floats * 4) / PAGE));
  const memory = mode === 'plain' || !module || pages > MOST_PAGES ? undefined : createMemory(pages, pages);
  if (memory === undefined) return plainKernel(new Float32Array(floats));
  return inWebAssembly(instantiate(module!, { memory }) as Exports, new Float32Array(memory.buffer, 0, floats));
}

type Numbers = (...values: number[]) => void;
interface Exports {
  readonly dots: Numbers;
  readonly products: Numbers;
  readonly adamW: Numbers;
}

function inWebAssembly(wasm: Exports, floats: Float32Array): MatrixKernel {
  return {
    floats,
    dots: (left, rows, right, rightRows, width, out, outStride) => {
      if (rows > 0) wasm.dots(4 * left, rows, 4 * right, rightRows / STEP, 4 * width, 4 * out, 4 * outStride);
    },
    products: (a, rows, terms, b, bStride, columns, out, outStride, panel) => {
      if (rows > 0 && terms > 0) wasm.products(4 * a, rows, terms, 4 * b, 4 * bStride, columns / STEP, 4 * out, 4 * outStride, 4 * panel);
    },
    adamW: (gap, count, { decay, beta1, rest1, beta2, rest2, rate, root, epsilon }) =>
      wasm.adamW(0, 4 * gap, 4 * count, decay, beta1, rest1, beta2, rest2, rate, root, epsilon),
  };
}
