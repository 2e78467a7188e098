/** Tests which search, lane and scores a passage keeps that several searches find. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Hit } from '../../core/ranking/ranking.ts';
import { FoundPassages } from './found-passages.ts';

const hit = (id: string, score: number): Hit => ({ id, documentId: id, score, start: 0, end: 1 });
const at = (search: number) => ({ hop: 0, search });

describe('FoundPassages', () => {
  test('a search by content words finds passages, and changes neither lane nor score', () => {
    const found = new FoundPassages();
    found.add({ hits: [hit('a', 4)] }, at(0), 1, 'words');
    found.add({ hits: [hit('b', 4), hit('a', 1)] }, at(1), 0, 'content');
    found.add({ hits: [hit('c', 4), hit('b', 2)] }, at(2), 2, 'words');
    assert.deepEqual(
      found.all.map(({ hit: { id }, lane, words }) => [id, lane, words]),
      [
        ['a', 1, 1],
        ['b', 2, 0.5],
        ['c', 2, 1],
      ],
    );
  });

  test('keeps hits without a positive score, and none of an empty search', () => {
    const found = new FoundPassages();
    found.add({ hits: [] }, at(0), 1, 'words');
    assert.deepEqual(found.all, []);
    found.add({ hits: [hit('a', 0)] }, at(1), 1, 'words');
    found.add({ hits: [hit('a', 0)] }, at(2), 2, 'words');
    assert.deepEqual(found.all, [{ hit: hit('a', 0), search: at(1), lane: 1, words: 0 }]);
  });
});
