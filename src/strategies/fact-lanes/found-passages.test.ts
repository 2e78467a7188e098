import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FoundPassages } from './found-passages.ts';

const hit = (id: string, score: number) => ({ id, documentId: 'd', start: 0, end: 1, score });
const ref = (search: number) => ({ hop: 1, search });

test('keeps each passage once, with its best lane and its first search', () => {
  const found = new FoundPassages();
  found.add({ hits: [hit('a', 4), hit('b', 2)] }, ref(0), 0, 'words');
  found.add({ hits: [hit('b', 8), hit('c', 4)] }, ref(1), 1, 'words');
  assert.deepEqual(
    found.all.map(({ hit: { id }, lane, words, search }) => [id, lane, words, search.search]),
    [
      ['a', 0, 1, 0],
      ['b', 1, 1, 0],
      ['c', 1, 0.5, 1],
    ],
  );
});

test('keeps scores by content words apart, also of passages that nothing else found', () => {
  const found = new FoundPassages();
  found.add({ hits: [hit('a', 4)] }, ref(0), 0, 'words');
  found.add({ hits: [hit('b', 6), hit('a', 3)] }, ref(1), 0, 'content');
  assert.deepEqual(
    found.all.map(({ hit: { id }, words, content }) => [id, words, content]),
    [
      ['a', 1, 0.5],
      ['b', 0, 1],
    ],
  );
  const empty = new FoundPassages();
  empty.add({ hits: [] }, ref(0), 0, 'words');
  assert.deepEqual(empty.all, []);
});
