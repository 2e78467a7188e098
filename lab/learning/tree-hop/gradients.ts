/**
 * Places gradients in a kernel's memory and computes the two products of a linear map's gradients.
 */
import type { Room, Rows } from '../../../src/models/tree-hop/activations.ts';
import { padded, STEP, strideOf } from '../../../src/models/tree-hop/kernel.ts';
import type { MatrixKernel } from '../../../src/models/tree-hop/matrix-kernel.ts';
import type { TreeHopShape } from '../../../src/models/tree-hop/shape.ts';
import type { LinearPlace, Place } from '../../../src/models/tree-hop/weights.ts';

/** Gradients of the outputs of each linear map, kept until those of its weights are computed. */
export interface HeadGradients {
  readonly q: Rows;
  readonly k: Rows;
  readonly v: Rows;
  /** The gradient of t on its way back through the blocks; finally of the input of the first. */
  readonly t: Rows;
  readonly t0: Rows;
  /** The gradient of p of each block. */
  readonly p: readonly Rows[];
  /** This head's part of y. */
  readonly y: Rows;
}

export interface Gradients {
  readonly h: Rows;
  readonly y: Rows;
  readonly heads: readonly HeadGradients[];
  /** The gradient of the input of a linear map, overwritten by the next. */
  readonly inputs: Rows;
  /** Room of the kernel: packed rows, and one panel. */
  readonly packed: number;
  readonly panel: number;
}

export function placeGradients(room: Room, shape: TreeHopShape, rows: number): Gradients {
  const [d, g, m] = [strideOf(shape.d), strideOf(shape.g), strideOf(shape.m)];
  const y = room.take(rows, shape.heads * g);
  const heads = Array.from({ length: shape.heads }, (_, head): HeadGradients => {
    const [q, k, v, t0] = [
      room.take(rows, g),
      room.take(rows, g),
      room.take(rows, g),
      room.take(rows, g),
    ];
    const p = Array.from({ length: shape.nMlp }, () => room.take(rows, m));
    return { q, k, v, t0, p, t: room.take(rows, m), y: { at: y.at + head * g, stride: y.stride } };
  });
  const widest = Math.max(d, g, m, shape.heads * g);
  const packed = room.take(rows + 4, widest).at;
  const panel = room.take(STEP, Math.max(widest, rows)).at;
  return {
    h: room.take(rows, d),
    y,
    heads,
    inputs: room.take(rows, Math.max(d, m, shape.heads * g)),
    packed,
    panel,
  };
}

/**
 * `to` = G W: the gradient of the inputs, from that of the outputs, of `count` rows from `from` on.
 */
export function inputGradient(
  kernel: MatrixKernel,
  { packed, panel }: Gradients,
  gradient: Rows,
  weight: Place,
  to: Rows,
  from: number,
  count: number,
): void {
  packRows(kernel.floats, gradient, from, count, weight.rows, packed);
  const out = to.at + from * to.stride;
  kernel.products(
    packed,
    count,
    weight.rows,
    weight.at,
    weight.stride,
    weight.stride,
    out,
    to.stride,
    panel,
  );
}

/** The gradient of the weights, Gᵀ X over all rows; it stands `offset` floats after the weights. */
export function weightGradient(
  kernel: MatrixKernel,
  { packed, panel }: Gradients,
  gradient: Rows,
  x: Rows,
  weight: Place,
  rows: number,
  offset: number,
): void {
  packColumns(kernel.floats, gradient, rows, padded(weight.rows), packed);
  kernel.products(
    packed,
    padded(weight.rows),
    rows,
    x.at,
    x.stride,
    weight.stride,
    offset + weight.at,
    weight.stride,
    panel,
  );
}

/** Computes the gradient of weights and bias. */
export function linearGradient(
  kernel: MatrixKernel,
  gradients: Gradients,
  gradient: Rows,
  x: Rows,
  { weight, bias }: LinearPlace,
  rows: number,
  offset: number,
): void {
  weightGradient(kernel, gradients, gradient, x, weight, rows, offset);
  const { floats } = kernel;
  for (let row = 0; row < rows; row++) {
    const from = gradient.at + row * gradient.stride;
    for (let i = 0; i < bias.width; i++) floats[offset + bias.at + i]! += floats[from + i]!;
  }
}

/** Rows in fours: of each column four adjacent floats. */
function packRows(
  floats: Float32Array,
  { at, stride }: Rows,
  from: number,
  count: number,
  width: number,
  to: number,
): void {
  for (let row = 0; row < count; row += 4) {
    for (let lane = 0; lane < 4; lane++) {
      const start = at + (from + row + lane) * stride;
      const out = to + row * width + lane;
      if (row + lane >= count) for (let k = 0; k < width; k++) floats[out + 4 * k] = 0;
      else for (let k = 0; k < width; k++) floats[out + 4 * k] = floats[start + k]!;
    }
  }
}

/** The same of the transpose: columns in fours, of each row four adjacent floats. */
function packColumns(
  floats: Float32Array,
  { at, stride }: Rows,
  rows: number,
  columns: number,
  to: number,
): void {
  for (let row = 0; row < rows; row++) {
    const start = at + row * stride;
    for (let column = 0; column < columns; column += 4) {
      const out = to + column * rows + 4 * row;
      floats[out] = floats[start + column]!;
      floats[out + 1] = floats[start + column + 1]!;
      floats[out + 2] = floats[start + column + 2]!;
      floats[out + 3] = floats[start + column + 3]!;
    }
  }
}
