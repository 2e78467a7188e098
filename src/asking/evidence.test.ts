/** The evidence of a run: each kept item once, in the order of keeping or of the last re-ranking. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hop, Kept } from '../trace/trace.ts';
import { evidenceOf, keptInOrder } from './evidence.ts';

const item = (id: string, documentId = id): Kept => ({ id, documentId, search: 0, score: 1 });
const hop = (ids: readonly string[], order?: readonly string[]): Hop => ({
  searches: [],
  kept: ids.map(id => item(id)),
  rejected: [],
  spent: {},
  ...(order ? { order } : {}),
});
const ids = (...hops: readonly Hop[]): string =>
  keptInOrder(hops)
    .map(({ id }) => id)
    .join(' ');

test('in the order of keeping, each once', () => {
  assert.equal(ids(hop(['b', 'a']), hop(['a', 'c']), hop([])), 'b a c');
  assert.equal(ids(), '');
});

test('a hop may re-rank all evidence so far; what it does not name stays behind in its order', () => {
  assert.equal(ids(hop(['a', 'b', 'c']), hop(['d'], ['c', 'd'])), 'c d a b');
  assert.equal(ids(hop(['a', 'b'], ['b', 'a']), hop(['c'])), 'b a c');
  assert.equal(ids(hop(['a', 'b'], ['b', 'a']), hop(['c'], ['a', 'unknown', 'c'])), 'a c b');
});

test('title, metadata and spans come from the document; one that could not be read is named by its id', () => {
  const document = { id: 'd', title: 'T', text: '12345', metadata: { source: 's' } };
  const kept = [item('d'), { ...item('d#1', 'd'), spans: [[1, 3]] as const }, item('gone')];
  assert.deepEqual(evidenceOf(kept, new Map([['d', document]])), [
    { id: 'd', documentId: 'd', title: 'T', metadata: { source: 's' }, score: 1, spans: [[0, 5]] },
    { id: 'd#1', documentId: 'd', title: 'T', metadata: { source: 's' }, score: 1, spans: [[1, 3]] },
    { id: 'gone', documentId: 'gone', title: '', metadata: {}, score: 1, spans: [[0, 0]] },
  ]);
});
