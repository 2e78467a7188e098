/** Asks the machine how it computes the dot products of relaxed SIMD. */
import { RELAXED_DOT_BASE64 } from './relaxed-dot.wasm.ts';
import { compileModule, instantiate } from './web-assembly.ts';

let cuts: boolean | undefined;
const CUT_PAIRS = 65534;

/**
 * Returns true if the machine cuts off pairs of products, as x86 without VNNI does: it takes five
 * instructions for a dot product of 7 bits, and three where the kernel adds in two steps
 * (bench/kernel-twins.ts). Tested once a process; false without relaxed SIMD.
 */
export function cutsPairs(): boolean {
  if (cuts !== undefined) return cuts;
  const module = compileModule(RELAXED_DOT_BASE64);
  const { beyond } = module ? (instantiate(module, {}) as { beyond(): number }) : {};
  return (cuts = beyond?.() === CUT_PAIRS);
}
