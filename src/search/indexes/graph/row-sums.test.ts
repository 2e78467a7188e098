/** Checks that the kernel adds what plain code adds, to the bit, and walks alike. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Adjacency } from './adjacency.ts';
import { ConjugateGradients } from './conjugate-gradients.ts';
import { rowSums } from './row-sums.ts';

const NODES = 23;
const weight = fc.float({ min: Math.fround(0.01), max: 9, noNaN: true });
const edge = fc.tuple(fc.nat(NODES - 1), fc.nat(NODES - 1), weight);
const graphOf = (edges: readonly (readonly [number, number, number])[]): Adjacency =>
  Adjacency.of(NODES, {
    from: Uint32Array.from(edges, ([from]) => from),
    to: Uint32Array.from(edges, ([, to]) => to),
    weights: Float32Array.from(edges, ([, , weight]) => weight),
  });
const KERNEL = 0;
const PLAIN = Number.POSITIVE_INFINITY;

test('the kernel and plain code have equal bits', () => {
  const value = fc.double({ min: -1, max: 1, noNaN: true });
  const values = fc.array(value, { minLength: NODES, maxLength: NODES });
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 120 }), values, (edges, drawn) => {
      const [compiled, plain] = [KERNEL, PLAIN].map(from => rowSums(graphOf(edges), from));
      assert.notEqual(compiled!.values.buffer.byteLength, plain!.values.buffer.byteLength);
      for (const rows of [compiled!, plain!]) {
        rows.values.set(drawn);
        rows.add();
      }
      assert.deepEqual(compiled!.sums, plain!.sums);
    }),
  );
});

test('rows are used again by the next solution', () => {
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 60 }), edges => {
      const graph = graphOf(edges);
      const rows = rowSums(graph, KERNEL);
      const seeds = [...graph.degrees.keys()].filter(node => graph.degrees[node]! > 0);
      for (const seed of seeds.slice(0, 3)) {
        const right = new Map([[seed, 1]]);
        const used = new ConjugateGradients(graph, rows, 0.5, right);
        const fresh = new ConjugateGradients(graph, rowSums(graph, PLAIN), 0.5, right);
        for (let step = 0; step < 5; step++) {
          used.step();
          fresh.step();
        }
        assert.deepEqual(used.solution, fresh.solution);
      }
    }),
  );
});
