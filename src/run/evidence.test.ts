/** Evidence with the titles, metadata and spans of its documents, and its sentences' passages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunkers } from '../core/corpus/chunk.ts';
import { freeCall } from '../core/trace/call.ts';
import type { EvidenceItem, Hop } from '../core/trace/trace.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import { evidenceOf, passagesOfSentences } from './evidence.ts';

const item = (id: string, documentId = id): EvidenceItem => ({
  id,
  documentId,
  search: { hop: 0, search: 0 },
  score: 1,
});
test('takes title, metadata and spans from the document, and the id alone if it is unreadable', () => {
  const document = { id: 'd', title: 'T', text: '12345', metadata: { source: 's' } };
  const kept = [item('d'), { ...item('d#1', 'd'), spans: [[1, 3]] as const }, item('gone')];
  assert.deepEqual(evidenceOf(kept, new Map([['d', document]]), { hops: [] }), [
    { id: 'd', documentId: 'd', title: 'T', metadata: { source: 's' }, score: 1, spans: [[0, 5]] },
    {
      id: 'd#1',
      documentId: 'd',
      title: 'T',
      metadata: { source: 's' },
      score: 1,
      spans: [[1, 3]],
    },
    { id: 'gone', documentId: 'gone', title: '', metadata: {}, score: 1, spans: [[0, 0]] },
  ]);
});

test('names the passage of a kept sentence only', async () => {
  const document = {
    id: 'd',
    title: '',
    text: 'A one. B two. C three. D four five six seven eight.',
    metadata: {},
  };
  const engine = new EmbeddedEngine({
    documents: [document],
    chunker: chunkers.create('tokens(size=5, overlap=2)'),
  });
  const [sentences, passages] = [
    await engine.current.parts('sentence', ['d'], freeCall()),
    await engine.current.parts('passage', ['d'], freeCall()),
  ];
  assert.deepEqual(
    passages[0]!.map(({ text }) => text),
    ['A one. B two.', 'B two. C three.', 'D four five six seven', 'eight.'],
  );
  const kept = sentences[0]!.map(
    ({ id, start, end }): EvidenceItem => ({
      id,
      documentId: 'd',
      search: { hop: 0, search: 0 },
      score: 1,
      spans: [[start, end]],
    }),
  );
  const found = (unit: 'sentence' | 'passage'): Hop[] => [
    { searches: [{ retriever: 'r', unit, hits: [] }], kept, rejected: [], spent: {} },
  ];
  const byItem = await passagesOfSentences(found('sentence'), engine.current, freeCall());
  // The first of overlapping passages; a sentence cut between passages belongs to that of its
  // start.
  assert.deepEqual([...byItem.values()], ['d#p0000', 'd#p0000', 'd#p0001', 'd#p0002']);
  const [first] = evidenceOf(kept, new Map([['d', document]]), { hops: [], passages: byItem });
  assert.deepEqual([first!.id, first!.passage, first!.spans], ['d#s0000', 'd#p0000', [[0, 6]]]);
  const neverAsked = {
    parts: () => assert.fail('the engine is asked'),
  } as unknown as EmbeddedEngine;
  assert.equal(
    (await passagesOfSentences(found('passage'), neverAsked.current, freeCall())).size,
    0,
  );
});
