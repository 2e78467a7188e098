/**
 * Multiplies dense matrices in float64, by WebAssembly where there is any. Both ways add in the
 * same order: equal bits on every machine.
 */
import {
  compileModule,
  createMemory,
  type GrowableMemory,
  instantiate,
} from '../../../core/web-assembly.ts';
import { PRODUCTS_BASE64 } from './products.wasm.ts';

/** Numbers of columns are multiples of it. */
export const TILE = 4;
export const padded = (columns: number): number => Math.ceil(columns / TILE) * TILE;

/** Rows that are multiplied at once: they stay in the processor's caches. */
export const BLOCK_ROWS = 64;

/** Sizes of X (rows × p) and Y (rows × q); `p` and `q` are multiples of `TILE`. */
export interface Sizes {
  readonly rows: number;
  readonly p: number;
  readonly q: number;
}

/** Adds Xᵀ Y to a p × q matrix. Both and the result are stored row by row. */
export type AddCross = (out: Float64Array, x: Float64Array, y: Float64Array, sizes: Sizes) => void;

export const addCrossPlainly: AddCross = (out, x, y, { rows, p, q }) => {
  for (let i = 0; i < p; i++)
    for (let j = 0; j < q; j++) {
      let sum = 0;
      for (let row = 0; row < rows; row++) sum += x[row * p + i]! * y[row * q + j]!;
      out[i * q + j]! += sum;
    }
};

interface Products {
  cross(x: number, y: number, out: number, rows: number, p: number, q: number): void;
}

const PAGE = 65536;
let compiled: AddCross | undefined;

/** Returns the fastest product of this machine. */
export function addCross(): AddCross {
  return (compiled ??= compiledCross() ?? addCrossPlainly);
}

function compiledCross(): AddCross | undefined {
  const module = compileModule(PRODUCTS_BASE64);
  const memory = module && createMemory(1);
  if (!module || !memory) return undefined;
  const { cross } = instantiate(module, { memory }) as Products;
  return (out, x, y, { rows, p, q }) => {
    if (rows === 0) return;
    const [atY, atOut] = [8 * rows * p, 8 * rows * (p + q)];
    if (!makeRoom(memory, atOut + 8 * p * q)) return addCrossPlainly(out, x, y, { rows, p, q });
    const all = new Float64Array(memory.buffer);
    all.set(x.subarray(0, rows * p), 0);
    all.set(y.subarray(0, rows * q), atY / 8);
    all.set(out, atOut / 8);
    cross(0, atY, atOut, rows, p, q);
    out.set(all.subarray(atOut / 8, atOut / 8 + p * q));
  };
}

/** Returns false if no memory is left. */
function makeRoom(memory: GrowableMemory, bytes: number): boolean {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);
  if (missing <= 0) return true;
  try {
    memory.grow(missing);
    return true;
  } catch {
    return false;
  }
}
