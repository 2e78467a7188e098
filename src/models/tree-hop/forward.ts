/**
 * The update of TreeHop as the released code has it, over rows in the memory of a kernel.
 *
 * TreeHop (arXiv 2504.20114), equations 3 and 4, and what only the code holds: the residual blocks
 * and the last two maps. Of each head, with ∘ the element-wise product:
 *
 *   Q = W_Q q + b_Q,  K = W_K c + b_K,  V = W_V c + b_V          (g numbers each)
 *   a = softmax over the g elements of (Q ∘ K) / √g,  t₀ = a ∘ V
 *   t = t₀, or W_in t₀ + b_in where g ≠ m
 *   L times: n = LayerNorm(t; γ, β),  t = t + relu(U n + b)      (m numbers)
 *   y = W_s t + b_s + t₀
 *
 * and then h = q - c + O [y of every head]. The divisor is √g as in the code, not √d as in the
 * paper. h is not normalised: the copy that is searched with is, the one that goes on is not.
 */
import type { Activations, BlockActivations, HeadActivations, Rows } from './activations.ts';
import { padded } from './kernel.ts';
import type { MatrixKernel } from './matrix-kernel.ts';
import { LN_EPS } from './parameters.ts';
import type { TreeHopShape, TreeHopVariant } from './shape.ts';
import type { BlockPlace, HeadPlace, LinearPlace, WeightPlaces } from './weights.ts';

/** A model in the memory of a kernel. */
export interface Network {
  readonly shape: TreeHopShape;
  readonly kernel: MatrixKernel;
  readonly weights: WeightPlaces;
  readonly activations: Activations;
}

/**
 * Changes the `width` values from `at` on: what a block computed of one row, before the ReLU. For
 * training.
 */
export type BlockChange = (at: number, width: number) => void;

/** h of the rows `from` to `from + count - 1`, from the queries and passages that stand there. */
export function forwardRows(
  network: Network,
  variant: TreeHopVariant,
  from: number,
  count: number,
  change?: BlockChange,
): void {
  const { kernel, weights, activations } = network;
  const { y, h } = activations;
  if (variant !== 'no-gate') {
    weights.heads.forEach((place, index) => {
      forwardHead(network, place, activations.heads[index]!, from, count, change);
    });
    const { at, rows, stride } = weights.output;
    kernel.dots(
      y.at + from * y.stride,
      count,
      at,
      padded(rows),
      stride,
      h.at + from * h.stride,
      h.stride,
    );
  }
  addTerms(network, variant, from, count);
}

function forwardHead(
  network: Network,
  place: HeadPlace,
  head: HeadActivations,
  from: number,
  count: number,
  change: BlockChange | undefined,
): void {
  const { kernel, shape, activations } = network;
  const { floats } = kernel;
  linearRows(kernel, activations.queries, place.q, head.q, from, count);
  linearRows(kernel, activations.passages, place.k, head.k, from, count);
  linearRows(kernel, activations.passages, place.v, head.v, from, count);
  for (let row = from; row < from + count; row++) attend(floats, head, shape.g, row);
  if (place.input) linearRows(kernel, head.t0, place.input, head.t, from, count);
  else
    floats.copyWithin(
      head.t.at + from * head.t.stride,
      head.t0.at + from * head.t0.stride,
      head.t0.at + (from + count) * head.t0.stride,
    );
  place.blocks.forEach((block, index) => {
    const values = head.blocks[index]!;
    for (let row = from; row < from + count; row++)
      normalise(floats, head.t, block, values, shape.m, row);
    linearRows(kernel, values.n, block.linear, values.p, from, count);
    if (change)
      for (let row = from; row < from + count; row++)
        change(values.p.at + row * values.p.stride, shape.m);
    for (let row = from; row < from + count; row++) addRelu(floats, head.t, values.p, shape.m, row);
  });
  linearRows(kernel, head.t, place.scale, head.y, from, count);
  for (let row = from; row < from + count; row++) addRow(floats, head.t0, head.y, shape.g, row);
}

/** to = W x + b of each row. */
function linearRows(
  kernel: MatrixKernel,
  x: Rows,
  { weight, bias }: LinearPlace,
  to: Rows,
  from: number,
  count: number,
): void {
  const { floats } = kernel;
  kernel.dots(
    x.at + from * x.stride,
    count,
    weight.at,
    padded(weight.rows),
    weight.stride,
    to.at + from * to.stride,
    to.stride,
  );
  for (let row = from; row < from + count; row++) {
    const at = to.at + row * to.stride;
    for (let i = 0; i < bias.width; i++) floats[at + i]! += floats[bias.at + i]!;
  }
}

/** a and t₀ of one row; the greatest exponent is subtracted first. */
function attend(
  floats: Float32Array,
  { q, k, v, a, t0 }: HeadActivations,
  g: number,
  row: number,
): void {
  const [qAt, kAt, vAt] = [q.at + row * q.stride, k.at + row * k.stride, v.at + row * v.stride];
  const [aAt, tAt] = [a.at + row * a.stride, t0.at + row * t0.stride];
  const root = Math.sqrt(g);
  let greatest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < g; i++) {
    const z = (floats[qAt + i]! * floats[kAt + i]!) / root;
    floats[aAt + i] = z;
    if (z > greatest) greatest = z;
  }
  let sum = 0;
  for (let i = 0; i < g; i++) {
    const power = Math.exp(floats[aAt + i]! - greatest);
    floats[aAt + i] = power;
    sum += power;
  }
  for (let i = 0; i < g; i++) {
    const weight = floats[aAt + i]! / sum;
    floats[aAt + i] = weight;
    floats[tAt + i] = weight * floats[vAt + i]!;
  }
}

/** Layer normalisation of one row of t, with the biased variance and ε inside the root. */
function normalise(
  floats: Float32Array,
  t: Rows,
  place: BlockPlace,
  { normal, n, inverse }: BlockActivations,
  m: number,
  row: number,
): void {
  const at = t.at + row * t.stride;
  let mean = 0;
  for (let i = 0; i < m; i++) mean += floats[at + i]!;
  mean /= m;
  let variance = 0;
  for (let i = 0; i < m; i++) variance += (floats[at + i]! - mean) ** 2;
  const scale = 1 / Math.sqrt(variance / m + LN_EPS);
  floats[inverse.at + row] = scale;
  const [normalAt, nAt, gamma, beta] = [
    normal.at + row * normal.stride,
    n.at + row * n.stride,
    place.gamma.at,
    place.beta.at,
  ];
  for (let i = 0; i < m; i++) {
    const value = (floats[at + i]! - mean) * scale;
    floats[normalAt + i] = value;
    floats[nAt + i] = value * floats[gamma + i]! + floats[beta + i]!;
  }
}

function addRelu(floats: Float32Array, t: Rows, p: Rows, m: number, row: number): void {
  const [at, from] = [t.at + row * t.stride, p.at + row * p.stride];
  for (let i = 0; i < m; i++) {
    // NaN is no less than 0, and goes on.
    const value = floats[from + i]!;
    if (!(value <= 0)) floats[at + i]! += value;
  }
}

function addRow(floats: Float32Array, from: Rows, to: Rows, width: number, row: number): void {
  const [at, source] = [to.at + row * to.stride, from.at + row * from.stride];
  for (let i = 0; i < width; i++) floats[at + i]! += floats[source + i]!;
}

/** h = q - c + u, or without one of the three. */
function addTerms(
  { kernel: { floats }, shape, activations }: Network,
  variant: TreeHopVariant,
  from: number,
  count: number,
): void {
  const { queries, passages, h } = activations;
  const [ofQuery, ofPassage, ofGate] = [
    variant === 'no-q' ? 0 : 1,
    variant === 'no-c' ? 0 : 1,
    variant === 'no-gate' ? 0 : 1,
  ];
  for (let row = from; row < from + count; row++) {
    const [q, c, to] = [
      queries.at + row * queries.stride,
      passages.at + row * passages.stride,
      h.at + row * h.stride,
    ];
    for (let i = 0; i < shape.d; i++)
      floats[to + i] =
        ofQuery * floats[q + i]! - ofPassage * floats[c + i]! + ofGate * floats[to + i]!;
  }
}
