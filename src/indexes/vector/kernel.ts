/** The WebAssembly kernel (kernel.wat): compiled once a process, one instance and memory an index. Absent where WebAssembly or SIMD is. */
import { compileModule, createMemory, instantiate } from '../web-assembly.ts';
import { KERNEL_BASE64 } from './kernel.wasm.ts';

/** Rows are padded with zeros to so many dimensions. */
export const DIMENSION_STEP = 16;
/** 8-bit rows stand in fours, so many codes of each in turn. */
export const ROWS_TOGETHER = 4;
/** How many queries are answered in one pass over the rows. */
export const QUERIES_A_PASS = 4;

/** Addresses are in bytes; what each function computes, and of how many rows, stands in kernel.wat. */
interface Products {
  readonly floats1: (query: number, rows: number, count: number, bytes: number, out: number) => void;
  readonly floats4: (query: number, rows: number, count: number, bytes: number, out: number) => void;
  readonly codes1: (query: number, rows: number, quads: number, bytes: number, scales: number, out: number) => void;
  readonly codes4: (query: number, rows: number, quads: number, bytes: number, scales: number, out: number) => void;
  readonly exact: (query: number, row: number, bytes: number) => number;
  readonly reach1: (at: number, end: number, errors: number, limits: number) => number;
  readonly reach4: (at: number, end: number, errors: number, limits: number) => number;
}

export interface Kernel extends Products {
  readonly buffer: ArrayBuffer;
}

const PAGE = 65536;
/** One short of 4 GiB, so that every address fits in 32 bits. */
const MOST_PAGES = 65535;

let module: object | undefined | null = null;

/** A kernel with so many bytes of memory, all zero, or undefined where there can be none. */
export function createKernel(bytes: number): Kernel | undefined {
  if (module === null) module = compileModule(KERNEL_BASE64);
  const pages = Math.max(1, Math.ceil(bytes / PAGE));
  if (module === undefined || pages > MOST_PAGES) return undefined;
  const memory = createMemory(pages, pages);
  return memory && { ...(instantiate(module, { memory }) as Products), buffer: memory.buffer };
}

/** `count` rounded up to a multiple of `step`. */
export const paddedTo = (step: number, count: number): number => Math.ceil(count / step) * step;
