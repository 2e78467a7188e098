/**
 * Solves (I - damping D^-1/2 W D^-1/2) y = b by conjugate gradients (Hestenes and Stiefel 1952, doi
 * 10.6028/jres.049.044), step by step, for the weights W of an undirected graph.
 */
import type { Adjacency } from './adjacency.ts';

/** The parts of the matrix: weights are exact, so they are not stored divided. */
export interface WalkMatrix {
  readonly graph: Adjacency;
  /** D^-1/2 by node; 0 for a node without edges. */
  readonly scales: Float64Array;
  readonly damping: number;
}

export class ConjugateGradients {
  readonly solution: Float64Array;
  steps = 0;
  /** Squared length of the residual b - (I - damping N) y. */
  residual: number;
  private readonly rest: Float64Array;
  private readonly direction: Float64Array;
  private readonly product: Float64Array;
  private readonly scaled: Float64Array;
  private readonly matrix: WalkMatrix;

  constructor(matrix: WalkMatrix, right: Float64Array) {
    this.matrix = matrix;
    this.solution = new Float64Array(right.length);
    this.rest = right;
    this.direction = right.slice();
    this.product = new Float64Array(right.length);
    this.scaled = new Float64Array(right.length);
    this.residual = right.reduce((sum, value) => sum + value * value, 0);
  }

  step(): void {
    this.steps += 1;
    if (this.residual === 0) return;
    const { solution, rest, direction, product } = this;
    const along = this.residual / this.multiply();
    let residual = 0;
    for (let at = 0; at < rest.length; at++) {
      solution[at]! += along * direction[at]!;
      const left = rest[at]! - along * product[at]!;
      rest[at] = left;
      residual += left * left;
    }
    const keep = residual / this.residual;
    this.residual = residual;
    for (let at = 0; at < rest.length; at++) direction[at] = rest[at]! + keep * direction[at]!;
  }

  /** Sets `product` to the matrix times `direction`; returns their inner product. */
  private multiply(): number {
    const { direction, product, scaled } = this;
    const { graph, scales, damping } = this.matrix;
    const { starts, targets, weights } = graph;
    for (let at = 0; at < scaled.length; at++) scaled[at] = scales[at]! * direction[at]!;
    let inner = 0;
    let at = 0;
    for (let row = 0; row < product.length; row++) {
      let sum = 0;
      for (const end = starts[row + 1]!; at < end; at++)
        sum += weights[at]! * scaled[targets[at]!]!;
      const value = direction[row]!;
      const own = value - damping * scales[row]! * sum;
      product[row] = own;
      inner += value * own;
    }
    return inner;
  }
}
