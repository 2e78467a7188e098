/**
 * Compiles the WebAssembly kernel (kernel.wat) once in a process; each index and scorer has a
 * separate instance and memory. Returns undefined without WebAssembly or SIMD.
 */

import { compileModule, createMemory, instantiate } from '../../../core/web-assembly.ts';
import { KERNEL_BASE64 } from './kernel.wasm.ts';

/** Addresses that kernel.wat fixes. */
export const LAYOUT = {
  columns: 0,
  remainders: 256,
  candidates: 4096,
  sums: 40960,
  allowed: 172032,
  matches: 172032,
  data: 262144,
} as const;
export const KERNEL_LIMITS = {
  k: 768,
  columns: 63,
  sum: 32767,
  contribution: 1023,
  frequency: 31,
  columnFrequency: 63,
  candidates: 4096,
  matches: 65536,
} as const;
const PAGE = 65536;
/** Addresses are compared as signed numbers. */
const MOST_BYTES = 2 ** 31 - PAGE;

export interface Kernel {
  readonly buffer: ArrayBuffer;
  /**
   * Starts a query: a sum up to `slack` below the k-th best remains a candidate, a sum below `cut`
   * (at least 1) does not.
   */
  readonly begin: (
    k: number,
    slack: number,
    columns: number,
    filtered: number,
    cut: number,
  ) => void;
  /** Adds the postings between two addresses. */
  readonly add: (from: number, to: number) => void;
  /**
   * Ranks the items of postings before the scan, each item once, and marks them; `unmark` must
   * follow for the same postings.
   */
  readonly seed: (from: number, to: number) => void;
  readonly unmark: (from: number, to: number) => void;
  /**
   * Scans the sums of a block up to a byte; returns the number of candidates of the query so far,
   * or -1 if they exceed the limit.
   */
  readonly scan: (end: number, base: number) => number;
  /** Drops the candidates below the cut; returns the number that remain. */
  readonly drop: () => number;
  /**
   * Writes a term's frequencies in candidates of one block as bytes: 0 to 30, 31 = 31 or more.
   */
  readonly frequencies: (
    from: number,
    to: number,
    first: number,
    last: number,
    out: number,
  ) => void;
  /** Writes frequencies from a column: 0 to 62, 63 = 63 or more. */
  readonly columnFrequencies: (column: number, first: number, last: number, out: number) => void;
}

let module: object | undefined | null = null;

/** Creates a kernel for so many bytes of data; undefined if that is not possible. */
export function createKernel(bytes: number): Kernel | undefined {
  if (module === null) module = compileModule(KERNEL_BASE64);
  const total = LAYOUT.data + bytes;
  if (module === undefined || total > MOST_BYTES) return undefined;
  const pages = Math.ceil(total / PAGE);
  const memory = createMemory(pages, pages);
  return (
    memory && {
      ...(instantiate(module, { memory }) as Omit<Kernel, 'buffer'>),
      buffer: memory.buffer,
    }
  );
}
