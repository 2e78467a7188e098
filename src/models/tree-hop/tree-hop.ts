/**
 * TreeHop made ready: weights packed once into the memory of a kernel, so that an update costs its
 * arithmetic and nothing else.
 */
import { InputError } from '../../core/errors.ts';
import type { SearchMode } from '../../core/search-mode.ts';
import { placeActivations, type Rows, roomFrom } from './activations.ts';
import { forwardRows, type Network } from './forward.ts';
import { createMatrixKernel } from './kernel.ts';
import type { TreeHopParameters } from './parameters.ts';
import type { TreeHopShape, TreeHopVariant } from './shape.ts';
import { packTensors, placeWeights } from './weights.ts';

/**
 * Rows that are computed together: more would only move the values of a pass out of the
 * second-level cache.
 */
const ROWS_A_PASS = 64;

export interface TreeHop {
  readonly shape: TreeHopShape;
  /**
   * The next queries: row i of the result, rows x d, not normalised, from row i of `queries` and of
   * `passages`. A row does not depend on the rows beside it, to the bit. Throws
   * `InputError('wrong-dimensions')` where the two are not of as many whole rows.
   */
  update(queries: Float32Array, passages: Float32Array): Float32Array;
}

export interface TreeHopOptions {
  /** Default 'full'. */
  readonly variant?: TreeHopVariant;
  /** 'plain' never uses WebAssembly; what comes out is the same. */
  readonly mode?: SearchMode;
}

/** Copies the weights: 4 bytes a parameter. Later changes of `parameters` are not seen. */
export function prepareTreeHop(
  parameters: TreeHopParameters,
  { variant = 'full', mode = 'auto' }: TreeHopOptions = {},
): TreeHop {
  const { d, g, m, nMlp, heads } = parameters;
  const shape = { d, g, m, nMlp, heads };
  const weights = placeWeights(shape);
  const room = roomFrom(weights.floats);
  const activations = placeActivations(room, shape, ROWS_A_PASS, false);
  const network: Network = {
    shape,
    weights,
    activations,
    kernel: createMatrixKernel(room.end, mode),
  };
  packTensors(weights, parameters.tensors, network.kernel.floats);
  return { shape, update: (queries, passages) => updateRows(network, variant, queries, passages) };
}

/** One update without keeping anything: the weights are packed for this call alone. */
export function update(
  parameters: TreeHopParameters,
  queries: Float32Array,
  passages: Float32Array,
  options: TreeHopOptions = {},
): Float32Array {
  return prepareTreeHop(parameters, options).update(queries, passages);
}

function updateRows(
  network: Network,
  variant: TreeHopVariant,
  queries: Float32Array,
  passages: Float32Array,
): Float32Array {
  const { shape, activations, kernel } = network;
  const rows = wholeRows(queries, shape.d, 'queries');
  if (wholeRows(passages, shape.d, 'passages') !== rows)
    throw new InputError('wrong-dimensions', 'Each query goes with one passage', {
      expected: `${rows} passages`,
      received: String(passages.length / shape.d),
    });
  const next = new Float32Array(queries.length);
  for (let first = 0; first < rows; first += ROWS_A_PASS) {
    const count = Math.min(ROWS_A_PASS, rows - first);
    fillRows(kernel.floats, activations.queries, queries, first, count, shape.d);
    fillRows(kernel.floats, activations.passages, passages, first, count, shape.d);
    forwardRows(network, variant, 0, count);
    readRows(kernel.floats, activations.h, next, first, count, shape.d);
  }
  return next;
}

/** Returns the number of rows. Throws `InputError('wrong-dimensions')` if the last is not whole. */
export function wholeRows(vectors: Float32Array, d: number, what: string): number {
  if (vectors.length % d === 0) return vectors.length / d;
  throw new InputError('wrong-dimensions', `The last row of the ${what} is not whole`, {
    expected: `rows of ${d} numbers`,
    received: `${vectors.length % d} in row ${Math.floor(vectors.length / d)}`,
    hint: 'A TreeHop model works only with the embedder that it was trained for.',
  });
}

/** Rows `first` on of `vectors` become the first rows in the memory. */
export function fillRows(
  floats: Float32Array,
  to: Rows,
  vectors: Float32Array,
  first: number,
  count: number,
  d: number,
): void {
  for (let row = 0; row < count; row++)
    floats.set(vectors.subarray((first + row) * d, (first + row + 1) * d), to.at + row * to.stride);
}

function readRows(
  floats: Float32Array,
  from: Rows,
  vectors: Float32Array,
  first: number,
  count: number,
  d: number,
): void {
  for (let row = 0; row < count; row++)
    vectors.set(
      floats.subarray(from.at + row * from.stride, from.at + row * from.stride + d),
      (first + row) * d,
    );
}
