/**
 * Personalised PageRank over an undirected graph (Haveliwala, WWW 2002, doi 10.1145/511446.511513;
 * HippoRAG, arXiv 2405.14831, section 2.3): the stationary distribution of a walk that follows an
 * edge with probability `damping`, by weight, and else starts again at a seed.
 *
 * With W the weights, D their sums by node and N = D^-1/2 W D^-1/2, the distribution is D^1/2 y of
 * (I - damping N) y = (1 - damping) D^-1/2 seeds. The matrix is symmetric and its eigenvalues lie
 * between 1 - damping and 1 + damping, so conjugate gradients need fewer steps than a power
 * iteration, and the residual bounds the error: they end once no error can change the first nodes.
 */
import { describeValue, InputError } from '../../errors.ts';
import { bestOf, type ScoredItem } from '../top.ts';
import type { Adjacency } from './adjacency.ts';
import { ConjugateGradients } from './conjugate-gradients.ts';

export interface PageRankOptions {
  /** Probability of following an edge: at least 0, below 1. 0.5 if missing, as HippoRAG ran it. */
  readonly damping?: number;
  /** Ends once so many first nodes are certain in their order; 20 if missing. */
  readonly top?: number;
  /** Ends, certain or not, once no score is off by more: 1e-10 if missing. */
  readonly tolerance?: number;
}

export interface PageRank {
  /** Probability of each node: nearly 1 in sum, or 0 without seeds. */
  readonly scores: Float64Array;
  /** The first nodes, best first; those that are equal within `error` by ascending number. */
  readonly first: readonly ScoredItem[];
  /** No score is off by more. */
  readonly error: number;
  readonly steps: number;
}

/** Every so many steps the order is looked at: a look costs a fifth of a step. */
const LOOK = 2;
/** 60 reach 1e-16 at damping 0.5; a damping near 1 takes more. */
const MOST_STEPS = 1000;

/** A graph made ready for walks. */
export class WalkGraph {
  readonly nodes: number;
  private readonly graph: Adjacency;
  /** Square root of the degree of each node, and its inverse; 0 without edges. */
  private readonly roots: Float64Array;
  private readonly scales: Float64Array;
  private readonly greatestRoot: number;

  constructor(graph: Adjacency) {
    [this.graph, this.nodes] = [graph, graph.nodes];
    this.roots = graph.degrees.map(Math.sqrt);
    this.scales = this.roots.map(root => (root === 0 ? 0 : 1 / root));
    this.greatestRoot = this.roots.reduce((most, root) => Math.max(most, root), 0);
  }

  /**
   * Ranks the nodes by a walk that starts again at `seeds`: weights of nodes, of any sum above 0. A
   * node without edges has what a walk gives it that starts again where it cannot go on. Throws
   * `InputError('bad-seed')`, `InputError('bad-parameter')`.
   */
  rank(seeds: ReadonlyMap<number, number>, options: PageRankOptions = {}): PageRank {
    const { damping = 0.5, top = 20, tolerance = 1e-10 } = options;
    checkDamping(damping);
    const restart = this.restart(seeds, damping);
    const { graph, scales } = this;
    const right = restart.map((value, node) => value * scales[node]!);
    const solver = new ConjugateGradients({ graph, scales, damping }, right);
    for (;;) {
      // The least eigenvalue is 1 - damping, so no entry of the solution is off by more.
      const off = Math.sqrt(solver.residual) / (1 - damping);
      const error = off * this.greatestRoot;
      const isEnd = error <= tolerance || solver.steps >= MOST_STEPS;
      if (isEnd || solver.steps % LOOK === 0) {
        const scores = this.scores(solver.solution, restart);
        const first = firstOf(scores, top + 1);
        if (isEnd || this.isCertain(first, top, off))
          return {
            scores,
            first: this.settled(first, off).slice(0, top),
            error,
            steps: solver.steps,
          };
      }
      solver.step();
    }
  }

  /** Returns (1 - damping) times the seeds, with the mass of nodes without edges sent back. */
  private restart(seeds: ReadonlyMap<number, number>, damping: number): Float64Array {
    let [sum, stuck] = [0, 0];
    for (const [node, weight] of seeds) {
      checkSeed(node, weight, this.nodes);
      sum += weight;
      if (this.roots[node] === 0) stuck += weight;
    }
    const restart = new Float64Array(this.nodes);
    if (sum === 0) return restart;
    // x = ((1 - d) + d s) r + d W x with s the mass that is stuck, so s = (1 - d) u / (1 - d u).
    const share = (1 - damping) / (1 - (damping * stuck) / sum);
    for (const [node, weight] of seeds) restart[node] = (share * weight) / sum;
    return restart;
  }

  private scores(solution: Float64Array, restart: Float64Array): Float64Array {
    const { roots } = this;
    const scores = new Float64Array(this.nodes);
    for (let node = 0; node < scores.length; node++)
      scores[node] = roots[node] === 0 ? restart[node]! : solution[node]! * roots[node]!;
    return scores;
  }

  /** Returns true if no error of `off` times the root of its degree changes the first nodes. */
  private isCertain(first: readonly ScoredItem[], top: number, off: number): boolean {
    for (let at = 1; at < Math.min(top, first.length); at++)
      if (this.isTie(first[at - 1]!, first[at]!, off)) return false;
    const [last, next] = [first[top - 1], first[top]];
    if (!last || !next) return true;
    // Any node behind may have the greatest error.
    return last.score - next.score > off * (this.roots[last.item]! + this.greatestRoot);
  }

  private isTie(a: ScoredItem, b: ScoredItem, off: number): boolean {
    return a.score - b.score <= off * (this.roots[a.item]! + this.roots[b.item]!);
  }

  /** Sorts nodes that the error cannot tell apart by their numbers. */
  private settled(first: readonly ScoredItem[], off: number): ScoredItem[] {
    const sorted: ScoredItem[] = [];
    for (let from = 0; from < first.length; ) {
      let end = from + 1;
      while (end < first.length && this.isTie(first[end - 1]!, first[end]!, off)) end += 1;
      sorted.push(...first.slice(from, end).sort((a, b) => a.item - b.item));
      from = end;
    }
    return sorted;
  }
}

function firstOf(scores: Float64Array, count: number): ScoredItem[] {
  const items = Uint32Array.from(scores.keys());
  return bestOf(items, scores.slice(), scores.length, count);
}

function checkDamping(damping: number): void {
  if (damping >= 0 && damping < 1) return;
  throw new InputError('bad-parameter', 'Invalid damping of PageRank', {
    expected: 'a number from 0 to below 1',
    received: describeValue(damping),
    hint: '0.5 is what HippoRAG ran.',
  });
}

function checkSeed(node: number, weight: number, nodes: number): void {
  const isNode = Number.isInteger(node) && node >= 0 && node < nodes;
  if (isNode && weight >= 0 && weight < Number.POSITIVE_INFINITY) return;
  throw new InputError('bad-seed', 'Not a seed of this graph', {
    expected: `one of ${nodes} nodes and a finite weight of at least 0`,
    received: describeValue([node, weight]),
    hint: 'Number seeds as the nodes of the graph.',
  });
}
