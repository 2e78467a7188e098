/**
 * Compiles the WebAssembly kernels (kernel.wat, centred.wat) once in a process; each index has a
 * separate instance and memory. Returns undefined without WebAssembly or SIMD.
 */
import { cutsPairs } from '../../../core/cuts-pairs.ts';
import { compileModule, createMemory, instantiate } from '../../../core/web-assembly.ts';
import { CENTRED_BASE64 } from './centred.wasm.ts';
import { CENTRED_PAIRS_BASE64 } from './centred-pairs.wasm.ts';
import { KERNEL_BASE64 } from './kernel.wasm.ts';

/** Rows are padded with zeros to a multiple of so many dimensions. */
export const DIMENSION_STEP = 16;
/** 8-bit rows are interleaved in fours, `DIMENSION_STEP` codes of each in turn. */
export const ROWS_TOGETHER = 4;
/** Most queries answered in one pass over the rows. */
export const QUERIES_A_PASS = 4;

/** Addresses are in bytes; kernel.wat documents each function and its row count. */
interface Products {
  readonly floats1: (
    query: number,
    rows: number,
    count: number,
    bytes: number,
    out: number,
  ) => void;
  readonly floats4: (
    query: number,
    rows: number,
    count: number,
    bytes: number,
    out: number,
  ) => void;
  readonly codes1: (
    query: number,
    rows: number,
    quads: number,
    bytes: number,
    scales: number,
    out: number,
  ) => void;
  readonly codes4: (
    query: number,
    rows: number,
    quads: number,
    bytes: number,
    scales: number,
    out: number,
  ) => void;
  readonly exact: (
    query: number,
    vectors: number,
    bytes: number,
    items: number,
    count: number,
    out: number,
  ) => void;
  readonly reach1: (at: number, end: number, errors: number, limits: number) => number;
  readonly reach4: (at: number, end: number, errors: number, limits: number) => number;
}

/**
 * Computes products of one, two or four queries with centred rows: four f32 a row, for any number
 * of queries.
 */
type CentredProduct = (
  query: number,
  rows: number,
  quads: number,
  bytes: number,
  scales: number,
  shares: number,
  terms: number,
  out: number,
) => void;

/** Functions of centred.wat, which needs relaxed SIMD. */
interface CentredProducts {
  readonly centred1: CentredProduct;
  readonly centred2: CentredProduct;
  readonly centred4: CentredProduct;
}

export interface Kernel extends Products {
  readonly buffer: ArrayBuffer;
}

export interface CentredKernel extends Kernel, CentredProducts {}

const PAGE = 65536;
/** One page less than 4 GiB, so that every address fits in 32 bits. */
const MOST_PAGES = 65535;

let module: object | undefined | null = null;
const centredModules = new Map<boolean, object | undefined>();

/** Creates a kernel with so many bytes of zeroed memory; undefined if that is not possible. */
export function createKernel(bytes: number): Kernel | undefined {
  if (module === null) module = compileModule(KERNEL_BASE64);
  const memory = module && memoryOf(bytes);
  return memory && { ...(instantiate(module!, { memory }) as Products), buffer: memory.buffer };
}

/**
 * Creates a kernel that also multiplies centred rows; undefined also without relaxed SIMD. `pairs`
 * selects the variant that adds products in two steps: equal results, different speed.
 */
export function createCentredKernel(
  bytes: number,
  pairs: boolean = cutsPairs(),
): CentredKernel | undefined {
  if (module === null) module = compileModule(KERNEL_BASE64);
  const centred = centredModule(pairs);
  const memory = module && centred && memoryOf(bytes);
  if (!memory) return undefined;
  const products = {
    ...(instantiate(module!, { memory }) as Products),
    ...(instantiate(centred, { memory }) as CentredProducts),
  };
  return { ...products, buffer: memory.buffer };
}

function centredModule(pairs: boolean): object | undefined {
  if (!centredModules.has(pairs))
    centredModules.set(pairs, compileModule(pairs ? CENTRED_PAIRS_BASE64 : CENTRED_BASE64));
  return centredModules.get(pairs);
}

function memoryOf(bytes: number): ReturnType<typeof createMemory> {
  const pages = Math.max(1, Math.ceil(bytes / PAGE));
  return pages > MOST_PAGES ? undefined : createMemory(pages, pages);
}

/** Rounds `count` up to a multiple of `step`. */
export const paddedTo = (step: number, count: number): number => Math.ceil(count / step) * step;
