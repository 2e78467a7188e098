/**
 * The embedded engine beyond its laws: defaults, aborts, own fields, stored indexes, and what makes
 * a document the same.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Document } from '../core/corpus/document.ts';
import type { Filter } from '../core/corpus/filter.ts';
import { freeCall } from '../core/trace/call.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../testing/fixture-corpus.ts';
import { sameDocument } from './corpus/plan-put.ts';
import { indexKey } from './corpus/segment.ts';
import { EmbeddedEngine } from './embedded-engine.ts';

const call = freeCall();
const ids = async (engine: EmbeddedEngine, text: string, filter?: Filter): Promise<string[]> =>
  (
    await engine.current.search(
      { unit: 'document', k: 10, queries: [filter ? { text, filter } : { text }] },
      call,
    )
  )[0]!.map(({ id }) => id);

test('a document is unchanged if title, text and metadata are, whatever the order of its keys', () => {
  const document: Document = { id: 'a', title: 't', text: 'x', metadata: { b: 1, a: ['x'] } };
  assert.ok(sameDocument(document, { ...document, metadata: { a: ['x'], b: 1 } }));
  for (const other of [
    { title: 'u' },
    { text: 'y' },
    { metadata: { b: 1 } },
    { metadata: { b: '1', a: ['x'] } },
    { metadata: { b: 1, c: ['x'] } },
  ])
    assert.ok(
      !sameDocument(document, { ...document, ...other } as Document),
      JSON.stringify(other),
    );
});

test('two documents of one id are refused from the start', () => {
  const twice = [FIXTURE_DOCUMENTS[0]!, { ...FIXTURE_DOCUMENTS[0]!, text: 'other' }];
  assert.throws(() => new EmbeddedEngine({ documents: twice }), {
    code: 'duplicate-id',
    message: /lighthouse-sold/,
  });
  const [first, second] = twice;
  const apart = { documents: [first!], segments: [{ documents: [second!] }] };
  assert.throws(() => new EmbeddedEngine(apart), {
    code: 'duplicate-id',
    message: /lighthouse-sold/,
  });
});

describe('filters', () => {
  const engine = new EmbeddedEngine({ documents: FIXTURE_DOCUMENTS });
  test('id and title can be filtered by, and a metadata field of that name comes first', async () => {
    assert.deepEqual(await ids(engine, 'ferry', { op: 'eq', field: 'id', value: 'twin-b' }), [
      'twin-b',
    ]);
    assert.deepEqual(await ids(engine, 'ferry', { op: 'eq', field: 'title', value: 'Notice' }), [
      'twin-a',
      'twin-b',
    ]);
    const titled = new EmbeddedEngine({
      documents: [{ id: 'x', title: 'A', text: 'ferry', metadata: { title: 'B' } }],
    });
    assert.deepEqual(
      [
        await ids(titled, 'ferry', { op: 'eq', field: 'title', value: 'B' }),
        await ids(titled, 'ferry', { op: 'eq', field: 'title', value: 'A' }),
      ],
      [['x'], []],
    );
  });

  test('a misspelt field is named with the nearest one, anywhere in a filter', async () => {
    const deep = {
      op: 'not',
      filter: { op: 'and', filters: [{ op: 'in', field: 'categry', values: ['x'] }] },
    } as const;
    await assert.rejects(ids(engine, 'ferry', deep), {
      code: 'unknown-field',
      message: /"categry".*Did you mean category\?/,
    });
  });

  test('more filters than are remembered give the same as before', async () => {
    const first = await ids(engine, 'lighthouse ferry', {
      op: 'nin',
      field: 'source',
      values: ['0'],
    });
    for (let i = 1; i < 600; i++)
      await ids(engine, 'lighthouse ferry', { op: 'nin', field: 'source', values: [String(i)] });
    assert.deepEqual(
      await ids(engine, 'lighthouse ferry', { op: 'nin', field: 'source', values: ['0'] }),
      first,
    );
  });
});

test('an aborted call is refused by every verb that works', async () => {
  const engine = new EmbeddedEngine({ documents: FIXTURE_DOCUMENTS });
  const aborted = freeCall(AbortSignal.abort());
  const verbs = [
    () => engine.current.search({ unit: 'document', k: 1, queries: [{ text: 'x' }] }, aborted),
    () => engine.current.read('document', ['twin-a'], aborted),
    () => engine.current.explain({ unit: 'document', query: 'x', id: 'twin-a' }, aborted),
    () => engine.put([], aborted),
    () => engine.remove(['twin-a'], aborted),
  ];
  for (const verb of verbs) await assert.rejects(verb(), { name: 'AbortError' }, String(verb));
  assert.equal((await engine.snapshot()).documents.length, FIXTURE_DOCUMENTS.length);
});

test('packed indexes search alike', async () => {
  const engine = new EmbeddedEngine({ documents: FIXTURE_DOCUMENTS });
  const requests = (['document', 'passage', 'sentence'] as const).flatMap(unit =>
    ['bm25', 's1'].map(scorer => ({
      unit,
      scorer,
      k: 20,
      queries: FIXTURE_QUESTIONS.map(({ text }) => ({ text })),
    })),
  );
  const fresh = await Promise.all(requests.map(request => engine.current.search(request, call)));
  const stored = new Map(
    (['document', 'passage', 'sentence'] as const).flatMap(unit =>
      (['plain', 's1'] as const).map(analysis => [
        indexKey(unit, analysis),
        engine.current.packedIndex(unit, analysis),
      ]),
    ),
  );
  const opened = new EmbeddedEngine({
    segments: [{ documents: FIXTURE_DOCUMENTS, indexes: stored }],
  });
  assert.deepEqual(
    await Promise.all(requests.map(request => opened.current.search(request, call))),
    fresh,
  );
  // A write makes them stale: they must not be used for the new corpus.
  await opened.put([{ id: 'new', title: '', text: 'zebra', metadata: {} }], call);
  assert.deepEqual(await ids(opened, 'zebra'), ['new']);
});

test('refuses the second of two concurrent removals of one document', async () => {
  const engine = new EmbeddedEngine({ documents: FIXTURE_DOCUMENTS });
  const [first, second] = await Promise.allSettled([
    engine.remove(['twin-a'], call),
    engine.remove(['twin-a', 'twin-b'], call),
  ]);
  assert.equal(first.status === 'fulfilled' && first.value.removed, 1);
  assert.equal(second.status === 'rejected' && second.reason.code, 'unknown-id');
  assert.ok(engine.current.documents.some(({ id }) => id === 'twin-b'));
});
