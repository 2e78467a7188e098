/** Places the weights of a ranker in the memory of the kernel, as kernel.wat reads them. */
import type { Layer, Linear, Norm, RankerModel } from './ranker-file.ts';

/** Outputs that the kernel computes at a time. */
export const PANEL = 8;

export interface PackedLinear {
  readonly weights: number;
  readonly factors: number;
  readonly biases: number;
  readonly inputs: number;
  readonly outputs: number;
  /**
   * The greatest code of an input: the sum of all products of codes stays below 2^31, whatever the
   * weights, and a code has 16 bits.
   */
  readonly limit: number;
}
export interface PackedNorm {
  readonly gamma: number;
  readonly beta: number;
}
export type PackedLayer = {
  readonly [K in keyof Layer]: Layer[K] extends Linear ? PackedLinear : PackedNorm;
};

export interface PackedNetwork {
  readonly embeddingNorm: PackedNorm;
  readonly layers: readonly PackedLayer[];
}

/** Hands out addresses from 0 on, multiples of 64. */
export class Places {
  bytes = 0;

  of(bytes: number): number {
    const at = this.bytes;
    this.bytes += Math.ceil(bytes / 64) * 64;
    return at;
  }
}

export function placeNetwork(
  { embeddingNorm, blocks }: RankerModel,
  places: Places,
): PackedNetwork {
  return {
    embeddingNorm: placeNorm(embeddingNorm, places),
    layers: blocks.map(block => placeLayer(block, places)),
  };
}

const placeNorm = ({ gamma, beta }: Norm, places: Places): PackedNorm => ({
  gamma: places.of(4 * gamma.length),
  beta: places.of(4 * beta.length),
});

function placeLayer(layer: Layer, places: Places): PackedLayer {
  const linear = ({ weight: { rows, columns } }: Linear): PackedLinear => ({
    weights: places.of(2 * rows * columns),
    factors: places.of(4 * rows),
    biases: places.of(4 * rows),
    inputs: columns,
    outputs: rows,
    limit: Math.min(2 ** 15 - 1, Math.floor((2 ** 31 - 1) / (128 * columns))),
  });
  return {
    query: linear(layer.query),
    key: linear(layer.key),
    value: linear(layer.value),
    output: linear(layer.output),
    attentionNorm: placeNorm(layer.attentionNorm, places),
    up: linear(layer.up),
    down: linear(layer.down),
    norm: placeNorm(layer.norm, places),
  };
}

/** Copies all weights to their places. */
export function packNetwork(
  { embeddingNorm, blocks }: RankerModel,
  places: PackedNetwork,
  buffer: ArrayBuffer,
): void {
  const floats = new Float32Array(buffer);
  const codes = new Int16Array(buffer);
  const norm = (given: Norm, { gamma, beta }: PackedNorm): void => {
    floats.set(given.gamma, gamma / 4);
    floats.set(given.beta, beta / 4);
  };
  norm(embeddingNorm, places.embeddingNorm);
  for (const [at, layer] of blocks.entries()) {
    const place = places.layers[at]!;
    for (const part of ['query', 'key', 'value', 'output', 'up', 'down'] as const)
      packLinear(layer[part], place[part], floats, codes);
    for (const part of ['attentionNorm', 'norm'] as const) norm(layer[part], place[part]);
  }
}

/** Writes, of eight rows at a time, the first two codes of each, then the next two. */
function packLinear(
  { weight, bias }: Linear,
  { weights, factors, biases, inputs, outputs }: PackedLinear,
  floats: Float32Array,
  codes: Int16Array,
): void {
  floats.set(weight.scales, factors / 4);
  floats.set(bias, biases / 4);
  let to = weights / 2;
  for (let panel = 0; panel < outputs; panel += PANEL)
    for (let input = 0; input < inputs; input += 2)
      for (let row = panel; row < panel + PANEL; row++) {
        codes[to++] = weight.codes[row * inputs + input]!;
        codes[to++] = weight.codes[row * inputs + input + 1]!;
      }
}
