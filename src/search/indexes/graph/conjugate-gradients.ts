/**
 * Solves (I - damping D^-1 W) z = b by conjugate gradients (Hestenes and Stiefel 1952, doi
 * 10.6028/jres.049.044), step by step, for the weights W of an undirected graph and their sums D by
 * node: with the inner product that weighs each node by its sum, the matrix is symmetric.
 */
import type { Adjacency } from './adjacency.ts';
import type { RowSums } from './row-sums.ts';

/** Share of the edges up to which a product reads those of its nodes alone. */
const SPARSE = 1 / 8;

export class ConjugateGradients {
  readonly solution: Float64Array;
  steps = 0;
  /** The residual b - (I - damping D^-1 W) z. */
  readonly rest: Float64Array;
  /** Entries of the residual lie between these; so does 0. */
  least = 0;
  greatest = 0;
  /** Squared length of the residual, weighed by D. */
  private length = 0;
  private readonly direction: Float64Array;
  private readonly product: Float64Array;
  private readonly graph: Adjacency;
  private readonly damping: number;
  private readonly rows: RowSums;
  /** Nodes that the walk has reached, until they are many: all other entries are 0. */
  private reached: number[] | undefined;
  private readonly isReached: Uint8Array;

  /** `rows`: of the graph; no other solution uses them meanwhile. `right`: b where it is not 0. */
  constructor(
    graph: Adjacency,
    rows: RowSums,
    damping: number,
    right: ReadonlyMap<number, number>,
  ) {
    [this.graph, this.damping] = [graph, damping];
    this.rows = rows;
    this.solution = new Float64Array(graph.nodes);
    this.rest = new Float64Array(graph.nodes);
    this.direction = rows.values.fill(0);
    this.product = rows.sums.fill(0);
    this.isReached = new Uint8Array(graph.nodes);
    this.reached = [...right.keys()];
    for (const [node, value] of right) {
      this.isReached[node] = 1;
      this.rest[node] = this.direction[node] = value;
      this.length += graph.degrees[node]! * value * value;
      this.least = Math.min(this.least, value);
      this.greatest = Math.max(this.greatest, value);
    }
  }

  step(): void {
    this.steps += 1;
    if (this.length === 0) return;
    if (this.reached && !this.isSparse(this.reached)) this.reached = undefined;
    const { reached, length } = this;
    this.advance(length / (reached ? this.multiplyReached(reached) : this.multiply()));
    const { rest, direction } = this;
    const keep = this.length / length;
    for (let at = 0; at < rest.length; at++) direction[at] = rest[at]! + keep * direction[at]!;
  }

  /** Moves the solution along the direction, and measures what is left. */
  private advance(along: number): void {
    const { solution, rest, direction, product } = this;
    const { degrees } = this.graph;
    let length = 0;
    let least = 0;
    let greatest = 0;
    for (let at = 0; at < rest.length; at++) {
      solution[at]! += along * direction[at]!;
      const left = rest[at]! - along * product[at]!;
      rest[at] = left;
      length += degrees[at]! * left * left;
      if (left > greatest) greatest = left;
      if (left < least) least = left;
    }
    [this.length, this.least, this.greatest] = [length, least, greatest];
  }

  private isSparse(reached: readonly number[]): boolean {
    const { starts, targets } = this.graph;
    let left = SPARSE * targets.length;
    for (const node of reached) left -= starts[node + 1]! - starts[node]!;
    return left > 0;
  }

  /** Sets `product` to the matrix times `direction`; returns their inner product. */
  private multiply(): number {
    const { direction, product, damping } = this;
    const { degrees } = this.graph;
    this.rows.add();
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
    const { direction, product, damping, isReached } = this;
    const { starts, targets, weights, degrees } = this.graph;
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
