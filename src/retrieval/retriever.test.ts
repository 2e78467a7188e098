/** Retrievers: filters that meet, searches as hops record them, hits as evidence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIXTURE_DOCUMENTS } from '../testing/fixture-corpus.ts';
import { engineOf } from '../testing/strategy-run.ts';
import { freeCall } from '../trace/call.ts';
import { bothFilters, keptFrom, searchAll } from './retriever.ts';
import { retrievers } from './retrievers.ts';

const bind = (name: string) => retrievers.create(name).bind(engineOf(FIXTURE_DOCUMENTS));

test('two filters hold together, one alone stands as it is', () => {
  const [a, b] = [{ op: 'eq', field: 'a', value: 1 } as const, { op: 'eq', field: 'b', value: 2 } as const];
  assert.deepEqual(bothFilters(a, b), { op: 'and', filters: [a, b] });
  assert.deepEqual([bothFilters(a, undefined), bothFilters(undefined, b), bothFilters(undefined, undefined)], [a, b, undefined]);
});

test('lexical is lexical(bm25), and its unit is part of its name', () => {
  for (const name of ['lexical', 'lexical(bm25)', 'lexical(scorer=bm25(k1=1.5), unit=document)'])
    assert.equal(retrievers.canonical(name), 'lexical');
  assert.equal(retrievers.canonical('lexical(unit=passage, scorer=s1)'), 'lexical(s1, unit=passage)');
  assert.throws(() => retrievers.create('lexical(bm52)'), { code: 'unknown-scorer' });
});

test('searches carry text, filter, origin and hits as they were asked', async () => {
  const filter = { op: 'eq', field: 'source', value: 'Notices' } as const;
  const from = { hop: 0, search: 0, id: 'x' };
  const [first, second] = await searchAll(bind('lexical'), [{ text: 'ferry' }, { text: 'ferry', filter, from }], 1, freeCall());
  assert.deepEqual(
    [first!.text, first!.filter, first!.from, first!.retriever, first!.unit],
    ['ferry', undefined, undefined, 'lexical', 'document'],
  );
  assert.deepEqual([second!.filter, second!.from, second!.hits.length], [filter, from, 1]);
});

test('a document that is kept has no spans, a passage has its own', async () => {
  const [documents] = await searchAll(bind('lexical'), [{ text: 'ferry' }], 1, freeCall());
  assert.deepEqual(Object.keys(keptFrom(documents!, 0, documents!.hits[0]!)), ['id', 'documentId', 'search', 'score']);
  const [sentences] = await searchAll(bind('lexical(unit=sentence)'), [{ text: 'apprentices' }], 1, freeCall());
  const hit = sentences!.hits[0]!;
  assert.deepEqual(keptFrom(sentences!, 3, hit), {
    id: hit.id,
    documentId: hit.documentId,
    search: 3,
    score: hit.score,
    spans: [[hit.start, hit.end]],
  });
});
