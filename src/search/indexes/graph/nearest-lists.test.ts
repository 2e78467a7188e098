/** Checks lists of the nearest, and edges of them, against sorting all pairs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NearestEdges, NearestLists } from './nearest-lists.ts';

const LENGTH = 2;

/** Scores of pairs; few values, so that ties are frequent. */
const points = fc.uniqueArray(fc.record({ id: fc.nat(30), at: fc.integer({ min: -3, max: 3 }) }), {
  selector: ({ id }) => id,
  maxLength: 9,
});
type Point = { readonly id: number; readonly at: number };
const scoreOf = (a: Point, b: Point): number => a.at * b.at;

/** The slow, obvious way, by numbers: for each point its nearest others, best first. */
function nearest(sorted: readonly Point[]): (readonly [number, number])[][] {
  return sorted.map((point, node) =>
    sorted
      .map((other, number) => [number, scoreOf(point, other)] as const)
      .filter(([number, score]) => number !== node && score > 0)
      .sort(([a, x], [b, y]) => y - x || a - b)
      .slice(0, LENGTH),
  );
}

const rowsOf = ({
  length,
  targets,
  scores,
  nodes,
}: NearestLists): (readonly [number, number])[][] =>
  Array.from({ length: nodes }, (_, node) =>
    Array.from({ length }, (_, place) => node * length + place)
      .filter(at => scores[at]! > 0)
      .map(at => [targets[at]!, scores[at]!] as const),
  );

const byId = (list: readonly Point[]): Point[] => [...list].sort((a, b) => a.id - b.id);

test('one by one in any order, then without some: as of one sort', () => {
  fc.assert(
    fc.property(points, fc.array(fc.nat(30)), (drawn, gone) => {
      let lists = NearestLists.empty(LENGTH, 0);
      let there: Point[] = [];
      for (const point of drawn) {
        const next = byId([...there, point]);
        const numbers = Int32Array.from(there, neighbour => next.indexOf(neighbour));
        lists = lists.renumbered(numbers, next.length).lists;
        const node = next.indexOf(point);
        for (const [other, neighbour] of next.entries()) {
          if (other === node) continue;
          lists.offer(node, other, scoreOf(point, neighbour));
          lists.offer(other, node, scoreOf(point, neighbour));
        }
        there = next;
        assert.deepEqual(rowsOf(lists), nearest(there));
      }
      const left = there.filter(({ id }) => !gone.includes(id));
      const numbers = Int32Array.from(there, neighbour => left.indexOf(neighbour));
      const { lists: rest, lacking } = lists.renumbered(numbers, left.length);
      for (const node of lacking) {
        rest.clear(node);
        for (const [other, neighbour] of left.entries())
          if (other !== node) rest.offer(node, other, scoreOf(left[node]!, neighbour));
      }
      assert.deepEqual(rowsOf(rest), nearest(left));
    }),
  );
});

test('an edge leads both ways, once', () => {
  fc.assert(
    fc.property(points, drawn => {
      const sorted = byId(drawn);
      const nearestRows = nearest(sorted);
      const lists = NearestLists.empty(LENGTH, sorted.length);
      for (const [node, row] of nearestRows.entries())
        for (const [other, score] of row) lists.offer(node, other, score);
      const edges = new NearestEdges(lists);
      for (const node of sorted.keys()) {
        const expected = sorted.flatMap((_, other) => {
          const forth = nearestRows[node]!.find(([to]) => to === other);
          const back = nearestRows[other]!.find(([to]) => to === node);
          const score = forth?.[1] ?? back?.[1];
          return score === undefined ? [] : [[other, score] as const];
        });
        assert.deepEqual(
          [...edges.neighbours(node)].sort(([a], [b]) => a - b),
          expected,
        );
      }
    }),
  );
});
