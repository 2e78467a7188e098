/** Tests the lists of documents by which strategies are diagnosed, worked by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hop } from '../core/trace/trace.ts';
import { BY_CONSIDERED, rankingOfConsidered } from './strategy.ts';

type Hits = readonly (readonly [id: string, document: string, score: number])[];
const hop = (kept: string[], rejected: [id: string, why: string][], ...searches: Hits[]): Hop =>
  ({
    kept: kept.map(id => ({ id, documentId: id[0] })),
    rejected: rejected.map(([id, why]) => ({ id, why })),
    searches: searches.map(hits => ({
      hits: hits.map(([id, documentId, score]) => ({ id, documentId, score })),
    })),
  }) as unknown as Hop;

const HOPS = [
  hop(
    ['b1'],
    [
      ['c1', 'duplicate'],
      ['a1', 'budget'],
    ],
    [
      ['c1', 'c', 1],
      ['a1', 'a', 5],
      ['b1', 'b', 2],
      ['b2', 'b', 1],
    ],
    [['z1', 'z', 9]],
  ),
  hop(
    [],
    [['d1', 'cap']],
    [
      ['f1', 'f', 4],
      ['e1', 'e', 4],
      ['d1', 'd', 0],
      ['c1', 'c', 7],
      ['c2', 'c', 3],
    ],
  ),
];

test('documents of equal scores come by name, in whichever order they were found', () => {
  for (const ids of ['ef', 'fe', 'gfe', 'efg', 'feg'])
    assert.deepEqual(
      rankingOfConsidered([
        hop(
          [],
          [],
          [...ids].map(id => [`${id}1`, id, 4] as const),
        ),
      ]),
      [...ids].sort(),
    );
});

test('considered hits come in order, then documents by their best score, then by name', () => {
  assert.deepEqual(rankingOfConsidered(HOPS), ['a', 'b', 'd', 'z', 'c', 'e', 'f']);
  assert.deepEqual(rankingOfConsidered([]), []);
  assert.equal(BY_CONSIDERED.name, 'considered');
});
