/** The WebAssembly kernels (kernel.wat, centred.wat): compiled once a process, one instance and memory an index. Absent where WebAssembly or SIMD is. */
import { compileModule, createMemory, instantiate } from '../web-assembly.ts';
import { CENTRED_BASE64 } from './centred.wasm.ts';
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

/** Products of one, two or four queries with centred rows: four f32 a row, whatever the number of queries. */
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

/** Of centred.wat, which needs relaxed SIMD. */
interface CentredProducts {
  readonly centred1: CentredProduct;
  readonly centred2: CentredProduct;
  readonly centred4: CentredProduct;
}

export interface Kernel extends Products {
  readonly buffer: ArrayBuffer;
}

/** As threads pass it to each other. */
export type KernelMemory = NonNullable<ReturnType<typeof createMemory>>;

export interface CentredKernel extends Kernel, CentredProducts {
  /** Its memory, where it is shared. */
  readonly shared?: KernelMemory;
}

const PAGE = 65536;
/** One short of 4 GiB, so that every address fits in 32 bits. */
const MOST_PAGES = 65535;

const modules = new Map<string, object | undefined>();

/** Compiled once a process, for memories of its own and for shared ones. */
function moduleOf(base64: string, shared: boolean): object | undefined {
  const key = `${shared} ${base64}`;
  if (!modules.has(key)) modules.set(key, compileModule(base64, shared));
  return modules.get(key);
}

/** A kernel with so many bytes of memory, all zero, or undefined where there can be none. */
export function createKernel(bytes: number): Kernel | undefined {
  const module = moduleOf(KERNEL_BASE64, false);
  const memory = module && memoryOf(bytes, false);
  return memory && { ...(instantiate(module, { memory }) as Products), buffer: memory.buffer };
}

/** The same with the products of centred rows; undefined also where there is no relaxed SIMD. `shared`: other threads can be given its memory. */
export function createCentredKernel(bytes: number, shared = false): CentredKernel | undefined {
  // No memory is taken for nothing.
  if (!moduleOf(KERNEL_BASE64, shared) || !moduleOf(CENTRED_BASE64, shared)) return undefined;
  const memory = memoryOf(bytes, shared);
  return memory && centredKernelIn(memory, shared);
}

/** The kernel over a memory that is there. */
export function centredKernelIn(memory: KernelMemory, shared: boolean): CentredKernel | undefined {
  const [module, centredModule] = [moduleOf(KERNEL_BASE64, shared), moduleOf(CENTRED_BASE64, shared)];
  if (!module || !centredModule) return undefined;
  const products = { ...(instantiate(module, { memory }) as Products), ...(instantiate(centredModule, { memory }) as CentredProducts) };
  return { ...products, buffer: memory.buffer, ...(shared ? { shared: memory } : {}) };
}

function memoryOf(bytes: number, shared: boolean): ReturnType<typeof createMemory> {
  const pages = Math.max(1, Math.ceil(bytes / PAGE));
  return pages > MOST_PAGES ? undefined : createMemory(pages, pages, shared);
}

/** `count` rounded up to a multiple of `step`. */
export const paddedTo = (step: number, count: number): number => Math.ceil(count / step) * step;
