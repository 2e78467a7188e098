/**
 * Multiplies the weights of a graph with a value for each node, in WebAssembly if that is faster.
 * Both ways add in the same order, so results are equal to the bit on every machine.
 */
import { compileModule, createMemory, instantiate } from '../../../core/web-assembly.ts';
import type { Adjacency } from './adjacency.ts';
import { SUMS_BASE64 } from './sums.wasm.ts';

export interface RowSums {
  /** One a node; written by the caller. */
  readonly values: Float64Array;
  /** One a node; written by `add`. */
  readonly sums: Float64Array;
  /** Sets the sum of each node to that of its neighbours' values by weight. */
  add(): void;
}

/** Edges from which on a kernel pays off. */
const PAYS_FROM = 1 << 14;
const PAGE = 65536;
/** Bytes to which numbers of 8 bytes are aligned. */
const aligned = (bytes: number): number => Math.ceil(bytes / 8) * 8;

/** Returns the fastest way of this machine. `from`: edges from which on it is a kernel. */
export const rowSums = (graph: Adjacency, from: number = PAYS_FROM): RowSums =>
  (graph.targets.length >= from && compiledSums(graph)) || plainSums(graph);

interface Kernel {
  sums(
    starts: number,
    targets: number,
    weights: number,
    values: number,
    sums: number,
    rows: number,
  ): void;
}

/** Copies the graph into the memory of a kernel; undefined without one. */
function compiledSums({ nodes, starts, targets, weights }: Adjacency): RowSums | undefined {
  const [places, atTargets] = [[starts, targets, weights], aligned(starts.byteLength)];
  const atWeights = aligned(atTargets + targets.byteLength);
  const atValues = aligned(atWeights + weights.byteLength);
  const atSums = atValues + 8 * nodes;
  const module = nodes > 0 ? compileModule(SUMS_BASE64) : undefined;
  const memory = module && createMemory(Math.ceil((atSums + 8 * nodes) / PAGE));
  if (!memory) return undefined;
  const { sums } = instantiate(module, { memory }) as Kernel;
  for (const [at, array] of places.entries())
    new Uint8Array(memory.buffer).set(
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
      [0, atTargets, atWeights][at],
    );
  return {
    values: new Float64Array(memory.buffer, atValues, nodes),
    sums: new Float64Array(memory.buffer, atSums, nodes),
    add: () => sums(0, atTargets, atWeights, atValues, atSums, nodes),
  };
}

function plainSums({ nodes, starts, targets, weights }: Adjacency): RowSums {
  const [values, sums] = [new Float64Array(nodes), new Float64Array(nodes)];
  return {
    values,
    sums,
    add() {
      for (let row = 0, at = 0; row < sums.length; row++) {
        const end = starts[row + 1]!;
        // Two sums, so that one addition need not wait for the other.
        let [even, odd] = [0, 0];
        for (; at + 1 < end; at += 2) {
          even += weights[at]! * values[targets[at]!]!;
          odd += weights[at + 1]! * values[targets[at + 1]!]!;
        }
        if (at < end) even += weights[at]! * values[targets[at++]!]!;
        sums[row] = even + odd;
      }
    },
  };
}
