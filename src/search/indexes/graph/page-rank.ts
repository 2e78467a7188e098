/**
 * Computes personalised PageRank over an undirected graph (Haveliwala, WWW 2002, doi
 * 10.1145/511446.511513; HippoRAG, arXiv 2405.14831, section 2.3): the stationary distribution of a
 * walk that follows an edge with probability `damping`, by weight, and else starts again at a seed.
 */
import { describeValue, InputError } from '../../../core/errors.ts';
import { type ScoredItem, Top } from '../../../core/ranking/top.ts';
import type { Adjacency } from './adjacency.ts';
import { ConjugateGradients } from './conjugate-gradients.ts';
import { type RowSums, rowSums } from './row-sums.ts';

export interface PageRankOptions {
  /** Probability of following an edge: at least 0, below 1. 0.5 if missing, as HippoRAG ran it. */
  readonly damping?: number;
  /** Ends once so many first nodes are certain in their order; 20 if missing, never for 0. */
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

/** 60 reach 1e-16 at damping 0.5; a damping near 1 takes more. */
const MOST_STEPS = 1000;

/** The order is looked at after so many steps, and then as soon as it may be certain. */
const FIRST_LOOK = 4;
/** A step seldom divides the error by more. */
const PACE = 8;
const MOST_BLIND = 3;

/**
 * The error e of z solves e = r + damping D^-1 W e with r the residual. Each row of D^-1 W adds up
 * to 1, so e lies between the least and the greatest entry of r by 1 - damping, and so does
 * D^-1 W e.
 */
interface Estimate {
  /** Added to z with its residual: the middle of what is left of its error. */
  readonly middle: number;
  /** No entry of z is off by more after that. */
  readonly error: number;
}

function estimateOf({ least, greatest }: ConjugateGradients, damping: number): Estimate {
  const share = damping / (1 - damping);
  return { middle: (share * (greatest + least)) / 2, error: (share * (greatest - least)) / 2 };
}

/**
 * A graph that is prepared for walks. With W the weights and D their sums by node, the distribution
 * is D z of (I - damping D^-1 W) z = (1 - damping) D^-1 seeds. Conjugate gradients need fewer steps
 * than a power iteration, and their residual bounds the error of each node: they end once no error
 * can change the first nodes.
 */
export class WalkGraph {
  readonly nodes: number;
  private readonly graph: Adjacency;
  private readonly greatestDegree: number;
  /** Made for the first walk. */
  private rows: RowSums | undefined;

  constructor(graph: Adjacency) {
    [this.graph, this.nodes] = [graph, graph.nodes];
    this.greatestDegree = graph.degrees.reduce((most, degree) => Math.max(most, degree), 0);
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
    const { graph, greatestDegree } = this;
    const right = [...restart].filter(([node]) => graph.degrees[node]! > 0);
    this.rows ??= rowSums(graph);
    const solver = new ConjugateGradients(
      graph,
      this.rows,
      damping,
      new Map(right.map(([node, value]) => [node, value / graph.degrees[node]!])),
    );
    for (let look = FIRST_LOOK; ; solver.step()) {
      const estimate = estimateOf(solver, damping);
      const error = greatestDegree * estimate.error;
      const isEnd = error <= tolerance || solver.steps >= MOST_STEPS;
      if (!isEnd && (top === 0 || solver.steps < look)) continue;
      const scores = this.scores(solver, estimate, restart);
      const first = firstOf(scores, top);
      const excess = isEnd ? 1 : this.excess(first, top, scores, estimate);
      if (excess <= 1)
        return { scores, first: this.settled(first, estimate), error, steps: solver.steps };
      // Two nodes may be equal so far, and differ later.
      const steps = Math.floor(Math.log(excess) / Math.log(PACE));
      look = solver.steps + Math.min(MOST_BLIND, Math.max(1, steps));
    }
  }

  /** Returns (1 - damping) times the seeds, with the mass of nodes without edges sent back. */
  private restart(seeds: ReadonlyMap<number, number>, damping: number): Map<number, number> {
    let [sum, stuck] = [0, 0];
    for (const [node, weight] of seeds) {
      checkSeed(node, weight, this.nodes);
      sum += weight;
      if (this.graph.degrees[node] === 0) stuck += weight;
    }
    if (sum === 0) return new Map();
    // x = ((1 - d) + d s) r + d W x with s the mass that is stuck, so s = (1 - d) u / (1 - d u).
    const share = (1 - damping) / (1 - (damping * stuck) / sum);
    return new Map([...seeds].map(([node, weight]) => [node, (share * weight) / sum]));
  }

  private scores(
    { solution, rest }: ConjugateGradients,
    { middle }: Estimate,
    restart: ReadonlyMap<number, number>,
  ): Float64Array {
    const { degrees } = this.graph;
    const scores = new Float64Array(this.nodes);
    for (let node = 0; node < scores.length; node++) {
      const value = solution[node]! + rest[node]!;
      // A node that no walk reaches has no error.
      if (value !== 0) scores[node] = (value + middle) * degrees[node]!;
    }
    for (const [node, value] of restart) if (degrees[node] === 0) scores[node] = value;
    return scores;
  }

  /** Returns by how much errors are too great to be sure of the first nodes; 1 or less if sure. */
  private excess(
    first: readonly ScoredItem[],
    top: number,
    scores: Float64Array,
    { error }: Estimate,
  ): number {
    const { degrees } = this.graph;
    let excess = 0;
    for (let at = 1; at < first.length; at++) {
      const [a, b] = [first[at - 1]!, first[at]!];
      const both = error * (degrees[a.item]! + degrees[b.item]!);
      excess = Math.max(excess, both / (a.score - b.score));
    }
    const last = first[top - 1];
    if (!last) return excess;
    const held = new Set(first.map(({ item }) => item));
    const degree = degrees[last.item]!;
    for (let node = 0; node < scores.length; node++) {
      const both = error * (degree + degrees[node]!);
      if (both > excess * (last.score - scores[node]!) && !held.has(node))
        excess = both / (last.score - scores[node]!);
    }
    return excess;
  }

  private isTie(a: ScoredItem, b: ScoredItem, { error }: Estimate): boolean {
    const { degrees } = this.graph;
    return a.score - b.score <= error * (degrees[a.item]! + degrees[b.item]!);
  }

  /** Sorts nodes that the error cannot tell apart by their numbers. */
  private settled(first: readonly ScoredItem[], estimate: Estimate): ScoredItem[] {
    const sorted: ScoredItem[] = [];
    for (let from = 0; from < first.length; ) {
      let end = from + 1;
      while (end < first.length && this.isTie(first[end - 1]!, first[end]!, estimate)) end += 1;
      for (const item of first.slice(from, end).sort((a, b) => a.item - b.item)) sorted.push(item);
      from = end;
    }
    return sorted;
  }
}

function firstOf(scores: Float64Array, count: number): ScoredItem[] {
  const best = new Top(count);
  let least = 0;
  // Nodes ascend, so that one of an equal score never stands before an earlier one.
  for (let node = 0; node < scores.length; node++)
    if (node < count || scores[node]! > least) least = best.offer(node, scores[node]!);
  return best.ranked();
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
