/** Stores an undirected, weighted graph in compressed rows, for walks over graphs. */
import { describeValue, InputError } from '../../../core/errors.ts';

/** Undirected edges, one an entry of each array. Edges of one pair add their weights. */
export interface WeightedEdges {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** Finite and above 0. */
  readonly weights: Float32Array;
}

/** Neighbours of the nodes 0 to `nodes - 1`; each edge stands at either end. */
export class Adjacency {
  readonly nodes: number;
  /** `nodes + 1` numbers: the neighbours of a node stand from `starts[node]` on. */
  readonly starts: Uint32Array;
  /** Ascending within a node. */
  readonly targets: Uint32Array;
  /** One for each target. */
  readonly weights: Float32Array;
  /** Sum of the weights of each node. */
  readonly degrees: Float64Array;

  private constructor(starts: Uint32Array, targets: Uint32Array, weights: Float32Array) {
    this.nodes = starts.length - 1;
    [this.starts, this.targets, this.weights] = [starts, targets, weights];
    this.degrees = new Float64Array(this.nodes);
    for (let node = 0; node < this.nodes; node++)
      for (let at = starts[node]!; at < starts[node + 1]!; at++)
        this.degrees[node]! += weights[at]!;
  }

  /** Leaves out edges from a node to itself. Throws `InputError('bad-edge')`. */
  static of(nodes: number, edges: WeightedEdges): Adjacency {
    checkEdges(nodes, edges);
    return new Adjacency(...merged(sortedRows(nodes, bothWays(edges))));
  }

  /** Returns the neighbours of a node, ascending. */
  neighbours(node: number): Uint32Array {
    return this.targets.subarray(this.starts[node]!, this.starts[node + 1]!);
  }
}

/** Returns every edge and its reverse, without loops. */
function bothWays({ from, to, weights }: WeightedEdges): WeightedEdges {
  let kept = 0;
  for (let at = 0; at < from.length; at++) kept += Number(from[at] !== to[at]);
  const both = {
    from: new Uint32Array(2 * kept),
    to: new Uint32Array(2 * kept),
    weights: new Float32Array(2 * kept),
  };
  for (let at = 0, next = 0; at < from.length; at++) {
    if (from[at] === to[at]) continue;
    both.from[next] = both.to[next + kept] = from[at]!;
    both.to[next] = both.from[next + kept] = to[at]!;
    both.weights[next] = both.weights[next + kept] = weights[at]!;
    next += 1;
  }
  return both;
}

interface Rows {
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Float32Array;
}

/** Sorts by both ends: by target, then by the other end, each time keeping the order of equals. */
function sortedRows(nodes: number, { from, to, weights }: WeightedEdges): Rows {
  const byTarget = counted(nodes, to);
  const order = new Uint32Array(to.length);
  for (let at = 0; at < to.length; at++) order[byTarget[to[at]!]!++] = at;
  const starts = counted(nodes, from);
  const next = starts.slice();
  const targets = new Uint32Array(to.length);
  const sorted = new Float32Array(to.length);
  for (const at of order) {
    const place = next[from[at]!]!++;
    targets[place] = to[at]!;
    sorted[place] = weights[at]!;
  }
  return { starts, targets, weights: sorted };
}

/** Returns where the entries of each node begin, and the end of the last. */
function counted(nodes: number, of: Uint32Array): Uint32Array {
  const starts = new Uint32Array(nodes + 1);
  for (const node of of) starts[node + 1]! += 1;
  for (let node = 0; node < nodes; node++) starts[node + 1]! += starts[node]!;
  return starts;
}

/** Joins neighbouring entries of one target; adds weights in the order given. */
function merged({ starts, targets, weights }: Rows): [Uint32Array, Uint32Array, Float32Array] {
  const ends = new Uint32Array(starts.length);
  let next = 0;
  for (let node = 0; node + 1 < starts.length; node++) {
    for (let at = starts[node]!; at < starts[node + 1]!; at++)
      if (next > ends[node]! && targets[next - 1] === targets[at])
        weights[next - 1]! += weights[at]!;
      else {
        targets[next] = targets[at]!;
        weights[next++] = weights[at]!;
      }
    ends[node + 1] = next;
  }
  return [ends, targets.slice(0, next), weights.slice(0, next)];
}

function checkEdges(nodes: number, { from, to, weights }: WeightedEdges): void {
  const fits = from.length === to.length && from.length === weights.length;
  if (!fits) throw badEdge(`as many ends as weights`, [from.length, to.length, weights.length]);
  for (let at = 0; at < from.length; at++) {
    const [source, target, weight] = [from[at]!, to[at]!, weights[at]!];
    if (source < nodes && target < nodes && weight > 0 && weight < Number.POSITIVE_INFINITY)
      continue;
    throw badEdge(`two of ${nodes} nodes and a finite weight above 0`, [source, target, weight]);
  }
}

const badEdge = (expected: string, received: readonly number[]): InputError =>
  new InputError('bad-edge', 'Not an edge of this graph', {
    expected,
    received: describeValue(received),
    hint: 'Number the nodes from 0 on, and leave out edges without weight.',
  });
