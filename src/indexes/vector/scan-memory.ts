/** Where queries, products and rows stand in the memory of a kernel. */
import { createKernel, type Kernel, paddedTo, QUERIES_A_PASS, ROWS_TOGETHER } from './kernel.ts';
import { codesLength } from './quantise.ts';

/** Rows that are multiplied with all queries before the next are: with 384 dimensions they fit in the second-level cache. */
export const BLOCK_ROWS = 256;
/** Queries that are in the memory at once. */
export const MOST_QUERIES = 16;

export interface ScanMemory {
  readonly kernel: Kernel;
  /** Addresses and lengths in bytes. */
  readonly products: number;
  readonly queries: number;
  readonly queryBytes: number;
  readonly rows: number;
  readonly rowBytes: number;
  /** With 8-bit rows only. */
  readonly codes?: { readonly scales: number };
}

const PRODUCTS = BLOCK_ROWS * QUERIES_A_PASS * 4;

/** undefined where no kernel can be had. */
export function floatMemory(size: number, stride: number): ScanMemory | undefined {
  const rowBytes = stride * 4;
  const rows = PRODUCTS + MOST_QUERIES * rowBytes;
  const kernel = createKernel(rows + size * rowBytes);
  return kernel && { kernel, products: 0, queries: PRODUCTS, queryBytes: rowBytes, rows, rowBytes };
}

/** undefined where no kernel can be had. */
export function codeMemory(size: number, stride: number): ScanMemory | undefined {
  const queryBytes = stride * 2;
  const rows = PRODUCTS + MOST_QUERIES * queryBytes;
  const scales = rows + codesLength(size, stride);
  const kernel = createKernel(scales + paddedTo(ROWS_TOGETHER, size) * 4);
  return kernel && { kernel, products: 0, queries: PRODUCTS, queryBytes, rows, rowBytes: stride, codes: { scales } };
}
