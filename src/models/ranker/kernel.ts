/** Compiles kernel.wat and linear.wat once; each ranker has a separate instance and memory. */
import { cutsPairs } from '../../core/cuts-pairs.ts';
import { compileModule, createMemory, instantiate } from '../../core/web-assembly.ts';
import { KERNEL_BASE64 } from './kernel.wasm.ts';
import { LINEAR_BASE64 } from './linear.wasm.ts';
import { LINEAR_PAIRS_BASE64 } from './linear-pairs.wasm.ts';
import { LINEAR_WIDE_BASE64 } from './linear-wide.wasm.ts';

type Numbers = (...values: number[]) => void;

/** Addresses are in bytes; kernel.wat and linear.wat document each function. */
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

/** A way to add products of codes: results are equal, the fastest depends on the machine. */
export type Variant = 'dots' | 'pairs' | 'wide';
const LINEAR: Readonly<Record<Variant, string>> = {
  dots: LINEAR_BASE64,
  pairs: LINEAR_PAIRS_BASE64,
  wide: LINEAR_WIDE_BASE64,
};

const PAGE = 65536;
/** One short of 4 GiB, so that every address fits in 32 bits. */
const MOST_PAGES = 65535;

const modules = new Map<string, object | undefined>();

function compiled(base64: string): object | undefined {
  if (!modules.has(base64)) modules.set(base64, compileModule(base64));
  return modules.get(base64);
}

/** Returns the fastest variant; 'wide' without relaxed SIMD. */
export function fastestVariant(): Variant {
  if (cutsPairs()) return 'pairs';
  return compiled(LINEAR.dots) ? 'dots' : 'wide';
}

/** Creates a kernel with so many bytes of zeroed memory; undefined if that is not possible. */
export function createKernel(bytes: number, variant: Variant): RankerKernel | undefined {
  const [kernel, linear] = [compiled(KERNEL_BASE64), compiled(LINEAR[variant])];
  const pages = Math.ceil(bytes / PAGE);
  const memory = kernel && linear && pages <= MOST_PAGES ? createMemory(pages, pages) : undefined;
  if (!memory) return undefined;
  const exported = [kernel!, linear!].map(module => instantiate(module, { memory }));
  return Object.assign({ buffer: memory.buffer }, ...exported) as RankerKernel;
}
