/** Places the weights of a ranker in the memory of the kernel, as kernel.wat reads them. */
import type { Layer, Linear, Norm, RankerModel } from './ranker-file.ts';

/** Bytes of a code: linear.wat has a variant that multiplies 16 bits. */
export type CodeBytes = 1 | 2;
/** Is added to the codes of weights, so that they have no sign (linear.wat). */
const OFFSET = 64;
/** Outputs that the kernel computes at a time. */
export const PANEL = 8;

export interface PackedLinear {
  readonly weights: number;
  readonly factors: number;
  readonly biases: number;
  readonly inputs: number;
  readonly outputs: number;
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
  codeBytes: CodeBytes,
): PackedNetwork {
  return {
    embeddingNorm: placeNorm(embeddingNorm, places),
    layers: blocks.map(block => placeLayer(block, places, codeBytes)),
  };
}

const placeNorm = ({ gamma, beta }: Norm, places: Places): PackedNorm => ({
  gamma: places.of(4 * gamma.length),
  beta: places.of(4 * beta.length),
});

function placeLayer(layer: Layer, places: Places, codeBytes: CodeBytes): PackedLayer {
  const linear = ({ weight: { rows, columns } }: Linear): PackedLinear => ({
    weights: places.of(codeBytes * rows * columns),
    factors: places.of(4 * rows),
    biases: places.of(4 * rows),
    inputs: columns,
    outputs: rows,
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
  codeBytes: CodeBytes,
): void {
  const floats = new Float32Array(buffer);
  const codes = codeBytes === 1 ? new Uint8Array(buffer) : new Int16Array(buffer);
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

/** Writes, of eight rows at a time, the first four bytes of codes of each, then the next four. */
function packLinear(
  { weight, bias }: Linear,
  { weights, factors, biases, inputs, outputs }: PackedLinear,
  floats: Float32Array,
  codes: Uint8Array | Int16Array,
): void {
  floats.set(weight.scales, factors / 4);
  floats.set(bias, biases / 4);
  const step = 4 / codes.BYTES_PER_ELEMENT;
  let to = weights / codes.BYTES_PER_ELEMENT;
  for (let panel = 0; panel < outputs; panel += PANEL)
    for (let input = 0; input < inputs; input += step)
      for (let row = panel; row < panel + PANEL; row++)
        for (let at = row * inputs + input, end = at + step; at < end; at++)
          codes[to++] = weight.codes[at]! + OFFSET;
}
