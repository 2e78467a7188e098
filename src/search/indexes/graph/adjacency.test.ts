import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { InputError } from '../../../core/errors.ts';
import { Adjacency } from './adjacency.ts';

type Edge = readonly [from: number, to: number, weight: number];

const graphOf = (nodes: number, edges: readonly Edge[]): Adjacency =>
  Adjacency.of(nodes, {
    from: Uint32Array.from(edges, ([from]) => from),
    to: Uint32Array.from(edges, ([, to]) => to),
    weights: Float32Array.from(edges, ([, , weight]) => weight),
  });

test('rows ascend, edges of one pair add, loops are left out', () => {
  const graph = graphOf(4, [
    [2, 0, 1],
    [0, 1, 2],
    [0, 2, 3],
    [3, 3, 9],
  ]);
  assert.deepEqual([...graph.starts], [0, 2, 3, 4, 4]);
  assert.deepEqual([...graph.targets], [1, 2, 0, 0]);
  assert.deepEqual([...graph.weights], [2, 4, 2, 4]);
  assert.deepEqual([...graph.degrees], [6, 2, 4, 0]);
  assert.deepEqual([...graph.neighbours(0)], [1, 2]);
});

test('equals a table of all pairs', () => {
  const edge = fc.tuple(fc.nat(6), fc.nat(6), fc.integer({ min: 1, max: 9 }));
  fc.assert(
    fc.property(fc.array(edge), edges => {
      const graph = graphOf(7, edges);
      for (let node = 0; node < 7; node++) {
        const sums = new Map<number, number>();
        for (const [from, to, weight] of edges)
          if (from !== to && (from === node || to === node)) {
            const other = from === node ? to : from;
            sums.set(other, (sums.get(other) ?? 0) + weight);
          }
        const expected = [...sums].sort(([a], [b]) => a - b);
        const at = graph.starts[node]!;
        const row = [...graph.neighbours(node)].map((to, place) => [to, graph.weights[at + place]]);
        assert.deepEqual(row, expected);
      }
    }),
  );
});

test('an end beyond the nodes, a weight of 0 and arrays of other lengths are refused', () => {
  const badEdge = (error: unknown): boolean =>
    error instanceof InputError && error.code === 'bad-edge' && /received/.test(error.message);
  assert.throws(() => graphOf(2, [[0, 2, 1]]), badEdge);
  for (const weight of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
    assert.throws(() => graphOf(2, [[0, 1, weight]]), badEdge);
  const [from, to, weights] = [new Uint32Array(1), new Uint32Array(2), new Float32Array(1)];
  assert.throws(() => Adjacency.of(2, { from, to, weights }), badEdge);
});
