import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { InputError } from '../../../core/errors.ts';
import { mulberry32 } from '../../../core/mulberry32.ts';
import { Adjacency } from './adjacency.ts';
import { WalkGraph } from './page-rank.ts';

type Edge = readonly [from: number, to: number, weight: number];

const graphOf = (nodes: number, edges: readonly Edge[]): Adjacency =>
  Adjacency.of(nodes, {
    from: Uint32Array.from(edges, ([from]) => from),
    to: Uint32Array.from(edges, ([, to]) => to),
    weights: Float32Array.from(edges, ([, , weight]) => weight),
  });

/** The slow, obvious way: x = (1 - d) r + d W x, what stands on nodes without edges back to r. */
function powerIteration(graph: Adjacency, seeds: ReadonlyMap<number, number>, damping: number) {
  const sum = [...seeds.values()].reduce((all, weight) => all + weight, 0);
  const restart = Float64Array.from({ length: graph.nodes }, (_, node) =>
    sum === 0 ? 0 : (seeds.get(node) ?? 0) / sum,
  );
  let scores: Float64Array = restart.slice();
  for (let round = 0; round < 3000; round++) {
    const next = new Float64Array(graph.nodes);
    let stuck = 0;
    for (let node = 0; node < graph.nodes; node++) {
      const degree = graph.degrees[node]!;
      if (degree === 0) stuck += scores[node]!;
      for (let at = graph.starts[node]!; at < graph.starts[node + 1]!; at++)
        next[graph.targets[at]!]! += (scores[node]! * graph.weights[at]!) / degree;
    }
    scores = next.map((value, node) => {
      const restarted = 1 - damping + damping * stuck;
      return damping * value + restarted * restart[node]!;
    });
  }
  return scores;
}

const near = (actual: number, expected: number, error: number): void =>
  assert.ok(
    Math.abs(actual - expected) <= error,
    `${actual} is not within ${error} of ${expected}`,
  );

describe('personalised PageRank', () => {
  test('two nodes, by hand: the seed has 2/3 at damping 0.5', () => {
    // x0 = 1/2 + x1/2, x1 = x0/2.
    const { scores, first } = new WalkGraph(graphOf(2, [[0, 1, 3]])).rank(new Map([[0, 7]]));
    near(scores[0]!, 2 / 3, 1e-10);
    near(scores[1]!, 1 / 3, 1e-10);
    assert.deepEqual(
      first.map(({ item }) => item),
      [0, 1],
    );
  });

  test('equals a power iteration within its stated error', () => {
    const edge = fc.tuple(fc.nat(9), fc.nat(9), fc.integer({ min: 1, max: 5 }));
    const seed = fc.tuple(fc.nat(9), fc.integer({ min: 0, max: 4 }));
    const damping = fc.constantFrom(0, 0.2, 0.5, 0.85, 0.97);
    fc.assert(
      fc.property(fc.array(edge), fc.array(seed), damping, (edges, pairs, d) => {
        const graph = graphOf(10, edges);
        const seeds = new Map(pairs);
        const { scores, error } = new WalkGraph(graph).rank(seeds, { damping: d, top: 10 });
        const expected = powerIteration(graph, seeds, d);
        for (const [node, score] of scores.entries()) near(score, expected[node]!, error + 1e-14);
      }),
      { numRuns: 60 },
    );
  });

  test('the first 20 of 2,000 nodes are those of a power iteration, in fewer steps', () => {
    const random = mulberry32(5);
    const node = (): number => Math.floor(2000 * random() ** 2);
    const edges = Array.from({ length: 9000 }, (): Edge => [node(), node(), 1 + random()]);
    const graph = graphOf(2000, edges);
    const walk = new WalkGraph(graph);
    for (let question = 0; question < 10; question++) {
      const seeds = new Map([
        [node(), 1],
        [node(), 2],
      ]);
      const expected = powerIteration(graph, seeds, 0.5);
      const { first, steps } = walk.rank(seeds);
      const order = [...expected.keys()].sort((a, b) => expected[b]! - expected[a]! || a - b);
      assert.deepEqual(
        first.map(({ item }) => item),
        order.slice(0, 20),
      );
      assert.ok(steps < 20, `${steps} steps`);
    }
  });

  test('equal nodes stand by ascending number', () => {
    const star = graphOf(
      7,
      [6, 5, 4, 3, 2, 1].map((leaf): Edge => [0, leaf, 1]),
    );
    const { first } = new WalkGraph(star).rank(new Map([[0, 1]]), { top: 4 });
    assert.deepEqual(
      first.map(({ item }) => item),
      [0, 1, 2, 3],
    );
  });

  test('no seed gives no score; a seed without edges keeps all of its own', () => {
    const graph = new WalkGraph(graphOf(3, [[0, 1, 1]]));
    assert.deepEqual([...graph.rank(new Map()).scores], [0, 0, 0]);
    assert.deepEqual([...graph.rank(new Map([[2, 5]])).scores], [0, 0, 1]);
  });

  test('a seed beyond the nodes, a negative one and a damping of 1 are refused', () => {
    const graph = new WalkGraph(graphOf(3, [[0, 1, 1]]));
    const code = (expected: string) => (error: unknown) =>
      error instanceof InputError && error.code === expected;
    assert.throws(() => graph.rank(new Map([[3, 1]])), code('bad-seed'));
    assert.throws(() => graph.rank(new Map([[0, -1]])), code('bad-seed'));
    for (const damping of [1, -0.1, Number.NaN])
      assert.throws(() => graph.rank(new Map([[0, 1]]), { damping }), code('bad-parameter'));
  });
});
