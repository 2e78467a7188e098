/**
 * The backward pass of TreeHop's update: from ∂loss/∂h of every row to ∂loss/∂weights.
 *
 * Derived by hand from the equations in tree-hop/model/forward.ts and checked against finite
 * differences. With G_x for ∂loss/∂x, sums over the rows of the batch, and σ for the root of the
 * variance plus ε:
 *
 *   G_O = G_hᵀ y,  G_y = G_h O;  G_Ws = G_yᵀ t_L,  G_t = G_y W_s
 *   for each block, last first:
 *     G_p = G_t ∘ [p > 0] (times the scale of dropout; dropped values are 0),
 *     G_U = G_pᵀ n,  G_n = G_p U,  G_γ = Σ G_n ∘ x̂,  G_β = Σ G_n,  G_x̂ = G_n ∘ γ,
 *     G_t += (G_x̂ - mean G_x̂ - x̂ mean(G_x̂ ∘ x̂)) / σ
 *   G_t0 = G_y + G_t (through W_in where g ≠ m)
 *   G_V = G_t0 ∘ a,  G_a = G_t0 ∘ V,  G_z = a ∘ (G_a - Σ a ∘ G_a),
 *   G_Q = G_z ∘ K / √g,  G_K = G_z ∘ Q / √g
 *
 * Passages are fixed; a query is not where it is the state of an update before, and then its
 * gradient is W_Qᵀ G_Q and, unless the variant is without q, that of h itself.
 */
import type {
  BlockActivations,
  HeadActivations,
  Rows,
} from '../../../src/models/tree-hop/activations.ts';
import type { Network } from '../../../src/models/tree-hop/forward.ts';
import type { BlockPlace, HeadPlace } from '../../../src/models/tree-hop/weights.ts';
import {
  type Gradients,
  type HeadGradients,
  inputGradient,
  linearGradient,
  weightGradient,
} from './gradients.ts';

/**
 * From G_h to the gradients of all outputs of linear maps, and those of the layer norms, for
 * `count` rows from `from` on. `scale`: what the outputs of the blocks were multiplied by where
 * they were not dropped.
 */
export function backwardRows(
  network: Network,
  gradients: Gradients,
  from: number,
  count: number,
  scale = 1,
): void {
  inputGradient(
    network.kernel,
    gradients,
    gradients.h,
    network.weights.output,
    gradients.y,
    from,
    count,
  );
  network.weights.heads.forEach((place, index) => {
    backwardHead(
      network,
      gradients,
      place,
      network.activations.heads[index]!,
      gradients.heads[index]!,
      from,
      count,
      scale,
    );
  });
}

function backwardHead(
  network: Network,
  gradients: Gradients,
  place: HeadPlace,
  head: HeadActivations,
  gradient: HeadGradients,
  from: number,
  count: number,
  scale: number,
): void {
  const { kernel, shape, weights } = network;
  const { floats } = kernel;
  const { inputs } = gradients;
  inputGradient(kernel, gradients, gradient.y, place.scale.weight, gradient.t, from, count);
  for (let index = place.blocks.length - 1; index >= 0; index--) {
    const [block, values, p] = [place.blocks[index]!, head.blocks[index]!, gradient.p[index]!];
    for (let row = from; row < from + count; row++)
      whereActive(floats, gradient.t, values.p, p, shape.m, row, scale);
    inputGradient(kernel, gradients, p, block.linear.weight, inputs, from, count);
    for (let row = from; row < from + count; row++)
      throughNorm(floats, block, values, inputs, gradient.t, shape.m, row, weights.floats);
  }
  const back = place.input ? inputs : gradient.t;
  if (place.input)
    inputGradient(kernel, gradients, gradient.t, place.input.weight, inputs, from, count);
  for (let row = from; row < from + count; row++)
    throughAttention(floats, head, gradient, back, shape.g, row);
}

function whereActive(
  floats: Float32Array,
  t: Rows,
  p: Rows,
  to: Rows,
  m: number,
  row: number,
  scale: number,
): void {
  const [tAt, pAt, at] = [t.at + row * t.stride, p.at + row * p.stride, to.at + row * to.stride];
  for (let i = 0; i < m; i++) floats[at + i] = floats[pAt + i]! > 0 ? scale * floats[tAt + i]! : 0;
}

/**
 * Adds to G_t what goes back through the layer norm of one row, and that row's part of G_γ and G_β.
 */
function throughNorm(
  floats: Float32Array,
  { gamma, beta }: BlockPlace,
  { normal, inverse }: BlockActivations,
  inputs: Rows,
  t: Rows,
  m: number,
  row: number,
  offset: number,
): void {
  const [nAt, xAt, tAt] = [
    inputs.at + row * inputs.stride,
    normal.at + row * normal.stride,
    t.at + row * t.stride,
  ];
  const [gammaAt, gammaTo, betaTo] = [gamma.at, offset + gamma.at, offset + beta.at];
  let mean = 0;
  let along = 0;
  for (let i = 0; i < m; i++) {
    const [gradient, x] = [floats[nAt + i]!, floats[xAt + i]!];
    floats[gammaTo + i]! += gradient * x;
    floats[betaTo + i]! += gradient;
    const scaled = gradient * floats[gammaAt + i]!;
    mean += scaled;
    along += scaled * x;
  }
  mean /= m;
  along /= m;
  const scale = floats[inverse.at + row]!;
  for (let i = 0; i < m; i++)
    floats[tAt + i]! +=
      (floats[nAt + i]! * floats[gammaAt + i]! - mean - floats[xAt + i]! * along) * scale;
}

function throughAttention(
  floats: Float32Array,
  head: HeadActivations,
  gradient: HeadGradients,
  back: Rows,
  g: number,
  row: number,
): void {
  const place = (rows: Rows): number => rows.at + row * rows.stride;
  const [q, k, v, a] = [place(head.q), place(head.k), place(head.v), place(head.a)];
  const [ofQ, ofK, ofV, ofT0, ofY, from] = [
    place(gradient.q),
    place(gradient.k),
    place(gradient.v),
    place(gradient.t0),
    place(gradient.y),
    place(back),
  ];
  const root = Math.sqrt(g);
  let sum = 0;
  for (let i = 0; i < g; i++) {
    const gradient = floats[ofY + i]! + floats[from + i]!;
    floats[ofT0 + i] = gradient;
    sum += floats[a + i]! * gradient * floats[v + i]!;
  }
  for (let i = 0; i < g; i++) {
    const [weight, gradient] = [floats[a + i]!, floats[ofT0 + i]!];
    const z = (weight * (gradient * floats[v + i]! - sum)) / root;
    floats[ofV + i] = gradient * weight;
    floats[ofQ + i] = z * floats[k + i]!;
    floats[ofK + i] = z * floats[q + i]!;
  }
}

/**
 * The gradients of all weights, over the first `rows` rows, after `backwardRows` has gone over all
 * of them.
 */
export function weightGradients(
  { kernel, weights, activations }: Network,
  gradients: Gradients,
  rows: number,
): void {
  const offset = weights.floats;
  weightGradient(kernel, gradients, gradients.h, activations.y, weights.output, rows, offset);
  weights.heads.forEach((place, index) => {
    const [head, gradient] = [activations.heads[index]!, gradients.heads[index]!];
    linearGradient(kernel, gradients, gradient.q, activations.queries, place.q, rows, offset);
    linearGradient(kernel, gradients, gradient.k, activations.passages, place.k, rows, offset);
    linearGradient(kernel, gradients, gradient.v, activations.passages, place.v, rows, offset);
    if (place.input)
      linearGradient(kernel, gradients, gradient.t, head.t0, place.input, rows, offset);
    place.blocks.forEach((block, each) => {
      linearGradient(
        kernel,
        gradients,
        gradient.p[each]!,
        head.blocks[each]!.n,
        block.linear,
        rows,
        offset,
      );
    });
    linearGradient(kernel, gradients, gradient.y, head.t, place.scale, rows, offset);
  });
}

/** Adds to G_h of the update before what goes back through the query of each row that has one. */
export function backwardQueries(
  network: Network,
  gradients: Gradients,
  parents: Int32Array,
  withQuery: boolean,
  from: number,
  count: number,
): void {
  const { kernel, shape, weights } = network;
  const { floats } = kernel;
  const { h, inputs } = gradients;
  const add = (source: Rows): void => {
    for (let row = from; row < from + count; row++) {
      if (parents[row]! < 0) continue;
      const [to, at] = [h.at + parents[row]! * h.stride, source.at + row * source.stride];
      for (let i = 0; i < shape.d; i++) floats[to + i]! += floats[at + i]!;
    }
  };
  if (withQuery) add(h);
  weights.heads.forEach(({ q }, index) => {
    inputGradient(kernel, gradients, gradients.heads[index]!.q, q.weight, inputs, from, count);
    add(inputs);
  });
}
