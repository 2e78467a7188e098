/**
 * Implements TreeHop's update and loss by their equations (arXiv 2504.20114, section 3), slowly and
 * in float64. The reference for src/tree-hop.
 */
import {
  blockPrefix,
  headPrefix,
  OUTPUT_NAME,
  type TreeHopShape,
  type TreeHopVariant,
  tensorShapes,
} from '../../src/models/tree-hop/shape.ts';

/** Tensors by name, in row-major order. */
export type Tensors = ReadonlyMap<string, readonly number[]>;

export interface OracleUpdate {
  readonly softmax: number[][];
  readonly t0: number[][];
  readonly afterBlocks: number[][];
  readonly y: number[];
  readonly h: number[];
}

const linear = (tensors: Tensors, name: string, x: readonly number[]): number[] => {
  const weight = tensors.get(`${name}.weight`)!;
  const bias = tensors.get(`${name}.bias`);
  const outputs = weight.length / x.length;
  return Array.from({ length: outputs }, (_, row) =>
    x.reduce(
      (sum, value, column) => sum + weight[row * x.length + column]! * value,
      bias?.[row] ?? 0,
    ),
  );
};

const mean = (x: readonly number[]): number => x.reduce((sum, value) => sum + value, 0) / x.length;

/**
 * Computes the update. `scales` returns, for a head and block, the factors of the outputs of its
 * ReLU (dropout with a fixed mask).
 */
export function oracleUpdate(
  shape: TreeHopShape,
  tensors: Tensors,
  q: readonly number[],
  c: readonly number[],
  variant: TreeHopVariant = 'full',
  eps = 1e-5,
  scales?: (head: number, block: number) => readonly number[],
): OracleUpdate {
  const [softmax, t0s, afterBlocks, y]: [number[][], number[][], number[][], number[]] = [
    [],
    [],
    [],
    [],
  ];
  for (let head = 0; head < shape.heads; head++) {
    const at = headPrefix(head);
    const [Q, K, V] = [
      linear(tensors, `${at}W_Q`, q),
      linear(tensors, `${at}W_K`, c),
      linear(tensors, `${at}W_V`, c),
    ];
    const powers = Q.map((value, i) => Math.exp((value * K[i]!) / Math.sqrt(shape.g)));
    const total = powers.reduce((sum, power) => sum + power, 0);
    const a = powers.map(power => power / total);
    const t0 = a.map((weight, i) => weight * V[i]!);
    let t = shape.g === shape.m ? t0 : linear(tensors, `${at}mlp.layers.0`, t0);
    for (let block = 0; block < shape.nMlp; block++) {
      const name = at + blockPrefix(shape, block);
      const [gamma, beta] = [
        tensors.get(`${name}layer_norm.weight`)!,
        tensors.get(`${name}layer_norm.bias`)!,
      ];
      const centre = mean(t);
      const deviation = Math.sqrt(mean(t.map(value => (value - centre) ** 2)) + eps);
      const n = t.map((value, i) => ((value - centre) / deviation) * gamma[i]! + beta[i]!);
      const p = linear(tensors, `${name}linear`, n);
      t = t.map((value, i) => value + Math.max(0, p[i]!) * (scales?.(head, block)[i] ?? 1));
    }
    softmax.push(a);
    t0s.push(t0);
    afterBlocks.push(t);
    y.push(...linear(tensors, `${at}mlp_scale`, t).map((value, i) => value + t0[i]!));
  }
  const u = linear(tensors, OUTPUT_NAME.replace('.weight', ''), y);
  const h = u.map(
    (value, i) =>
      (variant === 'no-q' ? 0 : q[i]!) -
      (variant === 'no-c' ? 0 : c[i]!) +
      (variant === 'no-gate' ? 0 : value),
  );
  return { softmax, t0: t0s, afterBlocks, y, h };
}

export const normalised = (x: readonly number[]): number[] => {
  const length = Math.hypot(...x);
  return x.map(value => value / length);
};

export const oracleLogits = (
  h: readonly number[],
  keys: readonly (readonly number[])[],
  temperature = 0.15,
): number[] =>
  keys.map(
    key =>
      normalised(key).reduce((sum, value, i) => sum + value * normalised(h)[i]!, 0) / temperature,
  );

/** Returns InfoNCE of one query; the positive is the first key. */
export function oracleLoss(
  h: readonly number[],
  keys: readonly (readonly number[])[],
  temperature = 0.15,
): number {
  const logits = oracleLogits(h, keys, temperature);
  return Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0)) - logits[0]!;
}

/**
 * Returns the weights of the test vectors: v = sin(1.7 t + 0.9 j + 0.5) for element j of tensor t;
 * 1 + 0.1 v for scales of norms, 0.3 v otherwise.
 */
export function fillF(shape: TreeHopShape): Map<string, number[]> {
  return new Map(
    tensorShapes(shape).map(({ name, shape: lengths }, t) => {
      const length = lengths.reduce((product, each) => product * each, 1);
      const isScale = name.endsWith('layer_norm.weight');
      const value = (j: number): number => Math.sin(1.7 * t + 0.9 * j + 0.5);
      return [
        name,
        Array.from({ length }, (_, j) => (isScale ? 1 + 0.1 * value(j) : 0.3 * value(j))),
      ];
    }),
  );
}

/** Returns the unit vector of sin(a i + b), i = 0 ... n - 1. */
export const vectorV = (n: number, a: number, b: number): number[] =>
  normalised(Array.from({ length: n }, (_, i) => Math.sin(a * i + b)));

export const asFloats = (tensors: Tensors): Map<string, Float32Array> =>
  new Map([...tensors].map(([name, values]) => [name, Float32Array.from(values)]));

/**
 * Returns the largest difference of two vectors, divided by the largest magnitude of the second.
 */
export function relativeError(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  let [difference, size] = [0, 0];
  for (let i = 0; i < expected.length; i++) {
    // Math.max would not propagate a NaN through this comparison.
    const apart = Math.abs(actual[i]! - expected[i]!);
    if (!(apart <= difference)) difference = apart;
    size = Math.max(size, Math.abs(expected[i]!));
  }
  return actual.length === expected.length ? difference / (size || 1) : Number.NaN;
}
