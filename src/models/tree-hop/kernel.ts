/**
 * The three products of linear maps and AdamW over one memory of floats: in WebAssembly SIMD
 * (kernel.wat), or plain with the same bits.
 */
import type { SearchMode } from '../../core/search-mode.ts';
import { compileModule, createMemory, instantiate } from '../../core/web-assembly.ts';
import { KERNEL_BASE64 } from './kernel.wasm.ts';
import type { MatrixKernel } from './matrix-kernel.ts';
import { plainKernel } from './plain-kernel.ts';

/** Rows are padded with zeros to a multiple of so many floats, matrices to as many rows. */
export const STEP = 8;
export const padded = (length: number): number => Math.ceil(length / STEP) * STEP;
/**
 * Rows that are a power of two apart would fall on one set of the first-level cache: those get
 * eight zeros more.
 */
export const strideOf = (width: number): number =>
  padded(width) % 128 === 0 ? padded(width) + STEP : padded(width);

const PAGE = 65536;
/** One short of 4 GiB, so that every address fits in 32 bits. */
const MOST_PAGES = 65535;

let module: object | undefined | null = null;

/**
 * A memory of so many floats, all zero, and what computes in it. `mode` 'plain' never uses
 * WebAssembly.
 */
export function createMatrixKernel(floats: number, mode: SearchMode = 'auto'): MatrixKernel {
  if (module === null && mode !== 'plain') module = compileModule(KERNEL_BASE64);
  const pages = Math.max(1, Math.ceil((floats * 4) / PAGE));
  const memory =
    mode === 'plain' || !module || pages > MOST_PAGES ? undefined : createMemory(pages, pages);
  if (memory === undefined) return plainKernel(new Float32Array(floats));
  return inWebAssembly(
    instantiate(module!, { memory }) as Exports,
    new Float32Array(memory.buffer, 0, floats),
  );
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
      if (rows > 0)
        wasm.dots(4 * left, rows, 4 * right, rightRows / STEP, 4 * width, 4 * out, 4 * outStride);
    },
    products: (a, rows, terms, b, bStride, columns, out, outStride, panel) => {
      if (rows > 0 && terms > 0)
        wasm.products(
          4 * a,
          rows,
          terms,
          4 * b,
          4 * bStride,
          columns / STEP,
          4 * out,
          4 * outStride,
          4 * panel,
        );
    },
    adamW: (gap, count, { decay, beta1, rest1, beta2, rest2, rate, root, epsilon }) =>
      wasm.adamW(0, 4 * gap, 4 * count, decay, beta1, rest1, beta2, rest2, rate, root, epsilon),
  };
}
