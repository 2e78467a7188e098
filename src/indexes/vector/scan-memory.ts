/** Where queries, products and rows stand in the memory of a kernel. */
import { type CentredKernel, createCentredKernel, createKernel, type Kernel, paddedTo, QUERIES_A_PASS, ROWS_TOGETHER } from './kernel.ts';
import { codesLength } from './quantise.ts';
import { jobBytes } from './scan-job.ts';
import { BLOCK_ROWS, MOST_QUERIES, MOST_RIDERS } from './scan-limits.ts';

export interface ScanMemory {
  readonly kernel: Kernel;
  /** Addresses and lengths in bytes. */
  readonly products: number;
  /** For each pass over a block four slopes and four cuts; of centred rows four portions and four shifts more. */
  readonly limits: number;
  readonly queries: number;
  readonly queryBytes: number;
  /** A query in f64. */
  readonly exactQuery: number;
  /** What is scanned: vectors or codes. */
  readonly rows: number;
  readonly rowBytes: number;
  readonly vectors: number;
  readonly vectorBytes: number;
  readonly errors: number;
  /** With codes only, of 8 bits or centred ones. */
  readonly scales: number | undefined;
  /** With centred rows only. */
  readonly centred?: { readonly kernel: CentredKernel; readonly shares: number } | undefined;
  /** In a memory that another thread can share: its own room for products, limits and queries, and where the threads speak. */
  readonly beside?: Beside | undefined;
}

interface Beside {
  readonly scratch: number;
  readonly job: number;
}

/** A memory of centred rows in which two threads scan, without its kernel. */
export interface ScanPlaces extends Omit<ScanMemory, 'kernel' | 'centred'> {
  readonly shares: number;
  readonly beside: Beside;
}

/** The memory as the other thread sees it. */
export function besideOf({ shares, beside, ...places }: ScanPlaces, kernel: CentredKernel): ScanMemory {
  const { scratch } = beside;
  const own = { products: scratch, limits: scratch + LIMITS, queries: scratch + QUERIES, exactQuery: scratch + places.exactQuery };
  return { ...places, ...own, kernel, centred: { kernel, shares } };
}

/** Bytes of the limits of one pass. */
export const LIMIT_BYTES: number = 4 * QUERIES_A_PASS * 4;

const LIMITS = BLOCK_ROWS * QUERIES_A_PASS * 4;
/** Where the limits of riders begin, counted in limits: behind those of the passes. */
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
  return kernel && { ...FIRST, kernel, queryBytes, exactQuery, rows, rowBytes: stride, vectors, vectorBytes: stride * 4, errors, scales };
}

/** undefined where no kernel can be had that multiplies centred rows. `shared`: so that another thread can scan along. */
export function centredMemory(size: number, stride: number, shared = false): ScanMemory | undefined {
  const { exactQuery, vectors, end: rows } = vectorPlaces(size, stride, stride);
  const scales = rows + codesLength(size, stride);
  const bytes = paddedTo(ROWS_TOGETHER, size) * 4;
  const [shares, errors] = [scales + bytes, scales + 2 * bytes];
  const scratch = paddedTo(64, errors + bytes);
  const beside = shared ? { scratch, job: scratch + vectors } : undefined;
  const kernel = createCentredKernel(beside ? beside.job + jobBytes(size, stride) : errors + bytes, shared);
  const places = { queryBytes: stride, exactQuery, rows, rowBytes: stride, vectors, vectorBytes: stride * 4, errors, scales };
  return kernel && { ...FIRST, kernel, ...places, centred: { kernel, shares }, ...(beside ? { beside } : {}) };
}

const FIRST = { products: 0, limits: LIMITS, queries: QUERIES } as const;

/** After the queries one more for exact scores, and then the vectors. */
function vectorPlaces(size: number, stride: number, queryBytes: number): { exactQuery: number; vectors: number; end: number } {
  const exactQuery = QUERIES + MOST_QUERIES * queryBytes;
  const vectors = exactQuery + stride * 8;
  return { exactQuery, vectors, end: vectors + size * stride * 4 };
}
