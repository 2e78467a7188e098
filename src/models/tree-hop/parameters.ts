/** The parameters of a TreeHop model as named tensors: checked, and initialised as in PyTorch. */
import { InputError } from '../../core/errors.ts';
import { elementsOf, type Tensor } from '../safetensors/tensor.ts';
import {
  headPrefix,
  OUTPUT_NAME,
  type TensorShape,
  type TreeHopShape,
  tensorShapes,
} from './shape.ts';

/**
 * Added to the variance inside the square root of every layer normalisation: part of the model,
 * since the variance is far smaller at first.
 */
export const LN_EPS = 1e-5;

export interface TreeHopParameters extends TreeHopShape {
  readonly lnEps: typeof LN_EPS;
  /** By their published names, in the published order, row by row. */
  readonly tensors: ReadonlyMap<string, Float32Array>;
}

/**
 * Parameters from named tensors; all sizes are read from the tensors themselves. Throws
 * `InputError('not-tree-hop')` naming the tensor that is missing, superfluous, of another shape or
 * not finite.
 */
export function treeHopParameters(tensors: ReadonlyMap<string, Tensor>): TreeHopParameters {
  const shape = shapeOfTensors(tensors);
  const declared = tensorShapes(shape);
  const names = new Set(declared.map(({ name }) => name));
  for (const name of tensors.keys())
    if (!names.has(name))
      throw notTreeHop(
        `The tensor "${name}" is none of a TreeHop model`,
        `${names.size} tensors, the last ${OUTPUT_NAME}`,
      );
  return {
    ...shape,
    lnEps: LN_EPS,
    tensors: new Map(declared.map(tensor => [tensor.name, checkedTensor(tensors, tensor)])),
  };
}

function checkedTensor(
  tensors: ReadonlyMap<string, Tensor>,
  { name, shape }: TensorShape,
): Float32Array {
  const { shape: size, data } = tensorNamed(tensors, name);
  if (size.join() !== shape.join() || data.length !== elementsOf(shape))
    throw notTreeHop(
      `The shape of the tensor "${name}"`,
      `[${shape.join(', ')}]`,
      `[${size.join(', ')}] with ${data.length} numbers`,
    );
  const bad = data.findIndex(value => !Number.isFinite(value));
  if (bad >= 0)
    throw notTreeHop(`The tensor "${name}"`, 'finite numbers', `${data[bad]} at ${bad}`);
  return data;
}

function tensorNamed(tensors: ReadonlyMap<string, Tensor>, name: string): Tensor {
  const tensor = tensors.get(name);
  if (tensor === undefined)
    throw notTreeHop(`The tensor "${name}" is missing`, 'the published state dict');
  return tensor;
}

function notTreeHop(message: string, expected: string, received?: string): InputError {
  return new InputError('not-tree-hop', message, { expected, received });
}

function shapeOfTensors(tensors: ReadonlyMap<string, Tensor>): TreeHopShape {
  const dimensions = (name: string): readonly [number, number] => {
    const { shape } = tensorNamed(tensors, name);
    if (shape.length !== 2 || shape.some(length => length < 1))
      throw notTreeHop(`The tensor "${name}"`, 'a matrix', `[${shape.join(', ')}]`);
    return shape as [number, number];
  };
  const count = (name: (index: number) => string): number => {
    let found = 0;
    while (tensors.has(name(found))) found++;
    return found;
  };
  const [g, d] = dimensions(`${headPrefix(0)}W_Q.weight`);
  const [, m] = dimensions(`${headPrefix(0)}mlp_scale.weight`);
  const first = g === m ? 0 : 1;
  const heads = count(head => `${headPrefix(head)}W_Q.weight`);
  return {
    d,
    g,
    m,
    heads,
    nMlp: count(block => `${headPrefix(0)}mlp.layers.${block + first}.linear.weight`),
  };
}

/**
 * PyTorch's default initialisation: weights and biases of a linear map uniform in ±1/√inputs, layer
 * norms 1 and 0.
 *
 * `random` gives the next number of [0, 1). Both scales are our addition: `outputScale` shrinks the
 * last map, so that training starts nearer to h = q - c; `valueScale` multiplies W_V and its bias.
 * a is about 1/g, and t₀ = a ∘ V so small that the first layer norm, with its ε inside the root,
 * sees nothing of it; with a scale of g it starts as large as V.
 */
export function initialParameters(
  shape: TreeHopShape,
  random: () => number,
  outputScale = 1,
  valueScale = 1,
): TreeHopParameters {
  const tensors = new Map<string, Float32Array>();
  let inputs = 0;
  for (const { name, shape: lengths } of tensorShapes(shape)) {
    const data = new Float32Array(elementsOf(lengths));
    if (name.includes('.layer_norm.')) data.fill(name.endsWith('.weight') ? 1 : 0);
    else {
      // A bias follows its weight, and takes its width.
      if (lengths.length === 2) inputs = lengths[1]!;
      const scale = name.includes('.W_V.') ? valueScale : name === OUTPUT_NAME ? outputScale : 1;
      const reach = scale / Math.sqrt(inputs);
      for (let i = 0; i < data.length; i++) data[i] = reach * (2 * random() - 1);
    }
    tensors.set(name, data);
  }
  const { d, g, m, nMlp, heads } = shape;
  return { d, g, m, nMlp, heads, lnEps: LN_EPS, tensors };
}
