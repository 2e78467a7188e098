/**
 * The sizes of a TreeHop model and the tensors that follow from them: names and layouts of the
 * published state dict, PyTorch's `[out, in]`.
 */
import { InputError } from '../../core/errors.ts';
import { elementsOf } from '../safetensors/tensor.ts';

export interface TreeHopShape {
  /** Dimensions of the embeddings. */
  readonly d: number;
  /** Size of the gate: queries, keys and values of the attention. Published: 2d. */
  readonly g: number;
  /** Size of the residual blocks. Published: 2d. */
  readonly m: number;
  /** Residual blocks. Published: 3. */
  readonly nMlp: number;
  /** Heads. Published: 1. */
  readonly heads: number;
}

export interface TensorShape {
  readonly name: string;
  readonly shape: readonly number[];
}

/** Far beyond any embedder, and small enough that the bytes of a matrix can be counted. */
const MOST = 65536;

/**
 * The published proportions (g = m = 2d, three blocks, one head) for embeddings of `d` dimensions.
 */
export const publishedShape = (d: number): TreeHopShape => ({
  d,
  g: 2 * d,
  m: 2 * d,
  nMlp: 3,
  heads: 1,
});

/** Throws `InputError('bad-shape')` unless every size is a whole number in range. */
export function checkShape(shape: TreeHopShape): void {
  for (const key of ['d', 'g', 'm', 'nMlp', 'heads'] as const) {
    const least = key === 'nMlp' ? 0 : 1;
    const value = shape[key];
    if (!Number.isInteger(value) || value < least || value > MOST)
      throw new InputError('bad-shape', `The size "${key}" of a TreeHop model`, {
        expected: `a whole number from ${least} to ${MOST}`,
        received: String(value),
      });
  }
}

export const headPrefix = (head: number): string => `node.update_gate.heads.${head}.`;
export const OUTPUT_NAME = 'node.update_attn_scale.weight';
/**
 * Names a block: if gate and blocks differ in size, a bare linear map precedes them as the first.
 */
export const blockPrefix = ({ g, m }: TreeHopShape, block: number): string =>
  `mlp.layers.${g === m ? block : block + 1}.`;

/** Every tensor in the order of the published state dict. */
export function tensorShapes(shape: TreeHopShape): TensorShape[] {
  checkShape(shape);
  const { d, g, heads } = shape;
  const all = Array.from({ length: heads }, (_, head) =>
    headTensors(shape).map(tensor => ({ ...tensor, name: headPrefix(head) + tensor.name })),
  );
  return [...all.flat(), { name: OUTPUT_NAME, shape: [d, heads * g] }];
}

function headTensors(shape: TreeHopShape): TensorShape[] {
  const { d, g, m, nMlp } = shape;
  const blocks = Array.from({ length: nMlp }, (_, block) => {
    const prefix = blockPrefix(shape, block);
    return [
      ...linear(`${prefix}linear`, m, m),
      ...['weight', 'bias'].map(part => ({ name: `${prefix}layer_norm.${part}`, shape: [m] })),
    ];
  });
  return [
    ...['W_Q', 'W_K', 'W_V'].flatMap(name => linear(name, g, d)),
    ...(g === m ? [] : linear('mlp.layers.0', m, g)),
    ...blocks.flat(),
    ...linear('mlp_scale', g, m),
  ];
}

const linear = (name: string, outputs: number, inputs: number): TensorShape[] => [
  { name: `${name}.weight`, shape: [outputs, inputs] },
  { name: `${name}.bias`, shape: [outputs] },
];

/** 24d² + 26d in the published proportions: 25,192,448 at d = 1024. */
export const parameterCount = (shape: TreeHopShape): number =>
  tensorShapes(shape).reduce((sum, tensor) => sum + elementsOf(tensor.shape), 0);

/** Terms left out of h = q - c + u (the paper's Table 3); the gate still sees both. */
export type TreeHopVariant = 'full' | 'no-q' | 'no-c' | 'no-gate';
export const TREE_HOP_VARIANTS: readonly TreeHopVariant[] = ['full', 'no-q', 'no-c', 'no-gate'];
