/** Tests the order of documents of a run of `fact-lanes`, worked by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hop } from '../../core/trace/trace.ts';
import { strategies } from '../strategies.ts';

const rankingOfLanes = (hops: readonly Hop[]): string[] =>
  strategies.create('fact-lanes').ranking(hops);

/** Hits and items are named by their document and a number: `a1`. */
const hop = (
  kept: readonly string[],
  rejected: readonly (readonly [id: string, hop: number, search: number])[],
  ...searches: readonly (readonly string[])[]
): Hop =>
  ({
    kept: kept.map(id => ({ id, documentId: id[0] })),
    rejected: rejected.map(([id, at, search]) => ({ id, search: { hop: at, search }, why: 'cap' })),
    searches: searches.map(ids => ({ hits: ids.map(id => ({ id, documentId: id[0] })) })),
  }) as unknown as Hop;

test('evidence, then refused candidates and hits of the first search by turns, each once', () => {
  const hops = [
    hop(['k1'], [['x1', 0, 0]], ['p1', 'k1', 'q1', 'q2', 'r1', 'x1'], ['s1', 't1']),
    hop(
      [],
      [
        // In this order; the second is of a kept document, the third of one before it.
        ['s1', 0, 1],
        ['k2', 1, 0],
        ['s2', 1, 0],
        ['u1', 1, 0],
        ['t1', 0, 1],
      ],
      ['u1', 'k2', 's2', 'w1'],
    ),
  ];
  // Refused last: s, u, t. First search without evidence: p, q, r, x. Not w: no turn is its.
  assert.deepEqual(rankingOfLanes(hops), ['k', 's', 'p', 'u', 'q', 't', 'r', 'x']);
});

test('refused candidates are taken from the last hop alone, and only if a search has them', () => {
  const first = hop([], [['a1', 0, 0]], ['b1'], ['a1']);
  assert.deepEqual(rankingOfLanes([first, hop([], [], ['c1'])]), ['b']);
  assert.deepEqual(rankingOfLanes([hop([], [['a1', 0, 0]], ['b1'])]), ['b']);
  assert.deepEqual(rankingOfLanes([]), []);
});
