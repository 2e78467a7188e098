/** Lays out queries, products and rows in the memory of a kernel. */
import {
  type CentredKernel,
  createCentredKernel,
  createKernel,
  type Kernel,
  paddedTo,
  QUERIES_A_PASS,
  ROWS_TOGETHER,
} from './kernel.ts';
import { codesLength } from './quantise.ts';

/**
 * Rows per block: each block is multiplied with all queries in turn. With 384 dimensions it fits in
 * the second-level cache.
 */
export const BLOCK_ROWS = 256;
/** Queries in memory at once: each row is fetched from main memory once per so many queries. */
export const MOST_QUERIES = 64;

/** Most filtered searches that share the products of an unfiltered one. */
export const MOST_RIDERS = 64;

export interface ScanMemory {
  readonly kernel: Kernel;
  /** Addresses and lengths in bytes. */
  readonly products: number;
  /**
   * Four slopes and four cuts per pass over a block; with centred rows also four portions and four
   * shifts.
   */
  readonly limits: number;
  readonly queries: number;
  readonly queryBytes: number;
  /** A query in f64. */
  readonly exactQuery: number;
  /** The scanned rows: vectors or codes. */
  readonly rows: number;
  readonly rowBytes: number;
  readonly vectors: number;
  readonly vectorBytes: number;
  readonly errors: number;
  /** Set with codes, 8-bit or centred. */
  readonly scales: number | undefined;
  /** Set with centred rows. */
  readonly centred?: { readonly kernel: CentredKernel; readonly shares: number } | undefined;
}

/** Bytes of the limits of one pass. */
export const LIMIT_BYTES: number = 4 * QUERIES_A_PASS * 4;

const LIMITS = BLOCK_ROWS * QUERIES_A_PASS * 4;
/** Index of the first limits of riders: they follow those of the passes. */
export const RIDERS_FROM: number = MOST_QUERIES / QUERIES_A_PASS;
const QUERIES = paddedTo(64, LIMITS + (RIDERS_FROM + MOST_RIDERS) * LIMIT_BYTES);

/** undefined where no kernel can be had. */
export function floatMemory(size: number, stride: number): ScanMemory | undefined {
  const bytes = stride * 4;
  const { exactQuery, vectors, end: errors } = vectorPlaces(size, stride, bytes);
  const kernel = createKernel(errors + paddedTo(ROWS_TOGETHER, size) * 4);
  return (
    kernel && {
      ...FIRST,
      kernel,
      queryBytes: bytes,
      exactQuery,
      rows: vectors,
      rowBytes: bytes,
      vectors,
      vectorBytes: bytes,
      errors,
      scales: undefined,
    }
  );
}

/** undefined where no kernel can be had. */
export function codeMemory(size: number, stride: number): ScanMemory | undefined {
  const queryBytes = stride * 2;
  const { exactQuery, vectors, end: rows } = vectorPlaces(size, stride, queryBytes);
  const scales = rows + codesLength(size, stride);
  const errors = scales + paddedTo(ROWS_TOGETHER, size) * 4;
  const kernel = createKernel(errors + paddedTo(ROWS_TOGETHER, size) * 4);
  return (
    kernel && {
      ...FIRST,
      kernel,
      queryBytes,
      exactQuery,
      rows,
      rowBytes: stride,
      vectors,
      vectorBytes: stride * 4,
      errors,
      scales,
    }
  );
}

/**
 * Returns memory for centred rows; undefined if no kernel with their products can be created.
 * `pairs` selects the kernel variant that multiplies pairs; by default the faster one is used.
 */
export function centredMemory(
  size: number,
  stride: number,
  pairs?: boolean,
): ScanMemory | undefined {
  const { exactQuery, vectors, end: rows } = vectorPlaces(size, stride, stride);
  const scales = rows + codesLength(size, stride);
  const bytes = paddedTo(ROWS_TOGETHER, size) * 4;
  const [shares, errors] = [scales + bytes, scales + 2 * bytes];
  const kernel = createCentredKernel(errors + bytes, pairs);
  const places = {
    queryBytes: stride,
    exactQuery,
    rows,
    rowBytes: stride,
    vectors,
    vectorBytes: stride * 4,
    errors,
    scales,
  };
  return kernel && { ...FIRST, kernel, ...places, centred: { kernel, shares } };
}

const FIRST = { products: 0, limits: LIMITS, queries: QUERIES } as const;

/** Returns the offsets behind the queries: one query for exact scores, then the vectors. */
function vectorPlaces(
  size: number,
  stride: number,
  queryBytes: number,
): { exactQuery: number; vectors: number; end: number } {
  const exactQuery = QUERIES + MOST_QUERIES * queryBytes;
  const vectors = exactQuery + stride * 8;
  return { exactQuery, vectors, end: vectors + size * stride * 4 };
}
