/** Compiles kernel.wat once in a process; each ranker has a separate instance and memory. */
import { compileModule, createMemory, instantiate } from '../../core/web-assembly.ts';
import { KERNEL_BASE64 } from './kernel.wasm.ts';

type Numbers = (...values: number[]) => void;

/** Addresses are in bytes; kernel.wat documents each function. */
export interface RankerKernel {
  readonly buffer: ArrayBuffer;
  readonly quantise: Numbers;
  readonly linear: Numbers;
  readonly products: Numbers;
  readonly transpose: Numbers;
  readonly softmax: Numbers;
  readonly norm: Numbers;
  readonly gelu: Numbers;
}

const PAGE = 65536;
/** One short of 4 GiB, so that every address fits in 32 bits. */
const MOST_PAGES = 65535;

let module: object | undefined | null = null;

/** Creates a kernel with so many bytes of zeroed memory; undefined if that is not possible. */
export function createKernel(bytes: number): RankerKernel | undefined {
  if (module === null) module = compileModule(KERNEL_BASE64);
  const pages = Math.ceil(bytes / PAGE);
  const memory = !module || pages > MOST_PAGES ? undefined : createMemory(pages, pages);
  if (!memory) return undefined;
  const exported = instantiate(module!, { memory }) as Omit<RankerKernel, 'buffer'>;
  return { ...exported, buffer: memory.buffer };
}
