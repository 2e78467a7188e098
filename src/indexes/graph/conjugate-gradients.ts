/**
 * Solves (I - damping D^-1 W) z = b by conjugate gradients (Hestenes and Stiefel 1952, doi
 * 10.6028/jres.049.044), step by step, for the weights W of an undirected graph and their sums D by
 * node: with the inner product that weighs each node by its sum, the matrix is symmetric.
 */
import type { Adjacency } from './adjacency.ts';

/** Share of the edges up to which a product reads those of its nodes alone. */
const SPARSE = 1 / 8;

export class ConjugateGradients {
  readonly solution: Float64Array;
  steps = 0;
  /** Squared length of the residual b - (I - damping D^-1 W) z, weighed by D. */
  length = 0;
  /** Greatest size of an entry of the residual. */
  greatest = 0;
  private readonly rest: Float64Array;
  private readonly direction: Float64Array;
  private readonly product: Float64Array;
  private readonly graph: Adjacency;
  private readonly damping: number;
  /** `starts` and `targets` of the graph: V8 is faster with signed numbers. */
  private readonly starts: Int32Array;
  private readonly targets: Int32Array;
  /** Nodes that the walk has reached, until they are many: all other entries are 0. */
  private reached: number[] | undefined;
  private readonly isReached: Uint8Array;

  constructor(graph: Adjacency, damping: number, right: ReadonlyMap<number, number>) {
    [this.graph, this.damping] = [graph, damping];
    [this.starts, this.targets] = [signed(graph.starts), signed(graph.targets)];
    this.solution = new Float64Array(graph.nodes);
    this.rest = new Float64Array(graph.nodes);
    this.direction = new Float64Array(graph.nodes);
    this.product = new Float64Array(graph.nodes);
    this.isReached = new Uint8Array(graph.nodes);
    this.reached = [...right.keys()];
    for (const [node, value] of right) {
      this.isReached[node] = 1;
      this.rest[node] = this.direction[node] = value;
      this.length += graph.degrees[node]! * value * value;
      this.greatest = Math.max(this.greatest, Math.abs(value));
    }
  }

  step(): void {
    this.steps += 1;
    if (this.length === 0) return;
    if (this.reached && !this.isSparse(this.reached)) this.reached = undefined;
    const { solution, rest, direction, product, reached, length: before } = this;
    const along = before / (reached ? this.multiplyReached(reached) : this.multiply());
    const { degrees } = this.graph;
    const count = reached ? reached.length : rest.length;
    let [length, greatest] = [0, 0];
    for (let place = 0; place < count; place++) {
      const at = reached ? reached[place]! : place;
      solution[at]! += along * direction[at]!;
      const left = rest[at]! - along * product[at]!;
      rest[at] = left;
      length += degrees[at]! * left * left;
      if (left > greatest) greatest = left;
      else if (-left > greatest) greatest = -left;
    }
    const keep = length / before;
    [this.length, this.greatest] = [length, greatest];
    for (let place = 0; place < count; place++) {
      const at = reached ? reached[place]! : place;
      direction[at] = rest[at]! + keep * direction[at]!;
    }
  }

  private isSparse(reached: readonly number[]): boolean {
    let left = SPARSE * this.targets.length;
    for (const node of reached) left -= this.starts[node + 1]! - this.starts[node]!;
    return left > 0;
  }

  /** Sets `product` to the matrix times `direction`; returns their inner product. */
  private multiply(): number {
    const { direction, product, damping, starts, targets } = this;
    const { weights, degrees } = this.graph;
    sumRows(starts, targets, weights, direction, product);
    let inner = 0;
    for (let row = 0; row < product.length; row++) {
      if (degrees[row] === 0) continue;
      const weighed = degrees[row]! * direction[row]! - damping * product[row]!;
      product[row] = weighed / degrees[row]!;
      inner += direction[row]! * weighed;
    }
    return inner;
  }

  /** As `multiply`, from the nodes that are reached to their neighbours, which then are too. */
  private multiplyReached(reached: number[]): number {
    const { direction, product, damping, starts, targets, isReached } = this;
    const { weights, degrees } = this.graph;
    for (const node of reached) product[node] = 0;
    const known = reached.length;
    for (let place = 0; place < known; place++) {
      const node = reached[place]!;
      const value = direction[node]!;
      for (let at = starts[node]!; at < starts[node + 1]!; at++) {
        const to = targets[at]!;
        product[to]! += weights[at]! * value;
        if (isReached[to] === 1) continue;
        isReached[to] = 1;
        reached.push(to);
      }
    }
    let inner = 0;
    for (const node of reached) {
      const weighed = degrees[node]! * direction[node]! - damping * product[node]!;
      product[node] = weighed / degrees[node]!;
      inner += direction[node]! * weighed;
    }
    return inner;
  }
}

/**
 * Adds up the weighed values of each row. Nothing else stands in its loop: V8 takes half as long
 * again for one that does more.
 */
function sumRows(
  starts: Int32Array,
  targets: Int32Array,
  weights: Float32Array,
  values: Float64Array,
  sums: Float64Array,
): void {
  let at = 0;
  for (let row = 0; row < sums.length; row++) {
    const end = starts[row + 1]!;
    // Two sums, so that one addition need not wait for the other.
    let even = 0;
    let odd = 0;
    for (; at + 1 < end; at += 2) {
      even += weights[at]! * values[targets[at]!]!;
      odd += weights[at + 1]! * values[targets[at + 1]!]!;
    }
    if (at < end) {
      even += weights[at]! * values[targets[at]!]!;
      at += 1;
    }
    sums[row] = even + odd;
  }
}

const signed = ({ buffer, byteOffset, length }: Uint32Array): Int32Array =>
  new Int32Array(buffer, byteOffset, length);
