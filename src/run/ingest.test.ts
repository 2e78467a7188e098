/** Ingest: batches and their events, what is refused, and what is stored when a run is cut. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Document, Ingestible } from '../core/corpus/document.ts';
import { freeCall } from '../core/trace/call.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import type { Engine } from '../search/engine.ts';
import { FIXTURE_DOCUMENTS } from '../testing/fixture-corpus.ts';
import { type IngestEvent, type IngestOptions, ingestEvents, toDocument } from './ingest.ts';

async function ingest(
  documents: Iterable<Ingestible> | AsyncIterable<Ingestible>,
  options: IngestOptions = {},
): Promise<{ engine: Engine; events: IngestEvent[] }> {
  const events: IngestEvent[] = [];
  const source = ingestEvents(documents, options);
  for (;;) {
    const step = await source.next();
    if (step.done) return { engine: step.value, events };
    events.push(step.value);
  }
}

const read = async (engine: Engine, ...ids: string[]): Promise<Document[]> =>
  (await engine.snapshot()).read('document', ids, freeCall());
const size = async (engine: Engine): Promise<number> =>
  (await (engine as EmbeddedEngine).snapshot()).documents.length;
/** A document as a user hands it over: metadata beside the rest. */
const flat = ({ metadata, ...rest }: Document): Ingestible => ({ ...rest, ...metadata });

describe('documents', () => {
  test('numbers texts, and keeps the fields of records', () => {
    assert.deepEqual(toDocument('Hello', 11), {
      id: 'document-0012',
      title: '',
      text: 'Hello',
      metadata: {},
    });
    const input = {
      text: 'T',
      url: 'u',
      year: 3,
      tags: ['a'],
      ok: true,
      none: null,
      nested: { a: 1 },
      mixed: ['a', 1],
      metadata: { year: 4 },
    };
    assert.deepEqual(toDocument(input, 0), {
      id: 'document-0001',
      title: '',
      text: 'T',
      metadata: { url: 'u', year: 4, tags: ['a'], ok: true },
    });
  });

  test('refuses an invalid document by its number', () => {
    for (const input of [null, undefined, 3, {}, { text: 3 }, [], { title: 'only' }])
      assert.throws(
        () => toDocument(input as never, 4),
        { code: 'bad-document', message: /^Document 5: / },
        JSON.stringify(input),
      );
  });
});

describe('batches', () => {
  test('yields an event a batch, with totals so far', async () => {
    const { events } = await ingest(['a', 'b', 'c', 'd', 'e'], { batch: 2 });
    assert.deepEqual(
      events.map(({ documents, added }) => [documents, added]),
      [
        [2, 2],
        [4, 4],
        [5, 5],
      ],
    );
  });

  test('yields one event and an empty engine for no documents', async () => {
    const { engine, events } = await ingest([]);
    assert.deepEqual(events, [
      { type: 'stored', documents: 0, added: 0, changed: 0, unchanged: 0, removed: 0 },
    ]);
    assert.equal(await size(engine), 0);
  });

  test('stores the same for any batch size', async () => {
    const whole = await (await (await ingest(FIXTURE_DOCUMENTS)).engine.snapshot()).search(
      { unit: 'passage', k: 50, queries: [{ text: 'the lighthouse furnace' }] },
      freeCall(),
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 15 }), async batch => {
        const { engine, events } = await ingest(FIXTURE_DOCUMENTS, { batch });
        assert.equal(events.length, Math.ceil(FIXTURE_DOCUMENTS.length / batch));
        assert.deepEqual(
          await (await engine.snapshot()).search(
            { unit: 'passage', k: 50, queries: [{ text: 'the lighthouse furnace' }] },
            freeCall(),
          ),
          whole,
        );
      }),
      { numRuns: 15 },
    );
  });

  test('refuses an invalid batch size, and a text in place of a list', async () => {
    for (const batch of [0, -1, 1.5, Number.NaN])
      await assert.rejects(ingest(['a'], { batch }), { code: 'bad-batch' }, String(batch));
    await assert.rejects(ingest('not a list' as never), { code: 'bad-documents' });
  });
});

describe('a second ingest', () => {
  test('ignores equal documents, replaces changed ones and keeps missing ones', async () => {
    const { engine } = await ingest(FIXTURE_DOCUMENTS);
    const [again] = (await ingest(FIXTURE_DOCUMENTS.map(flat), { engine })).events;
    assert.deepEqual(
      [again!.unchanged, again!.added, again!.changed],
      [FIXTURE_DOCUMENTS.length, 0, 0],
    );
    const changed = { ...FIXTURE_DOCUMENTS[0]!, text: 'New text.' };
    const [next] = (await ingest([changed], { engine })).events;
    assert.deepEqual([next!.changed, next!.unchanged], [1, 0]);
    assert.deepEqual(await read(engine, changed.id), [changed]);
    assert.equal(await size(engine), FIXTURE_DOCUMENTS.length);
  });
});

test('refuses ids of over 1024 characters, "." and ".."', async () => {
  for (const id of ['.', '..', 'x'.repeat(1025)])
    await assert.rejects(ingest([{ id, text: 'y' }]), { code: 'bad-document' });
  await ingest([{ id: 'x'.repeat(1024), text: 'y' }]);
});

describe('interruptions', () => {
  test('refuses two documents of one id, and keeps the batches before', async () => {
    for (const [batch, stored] of [
      [10, 0],
      [1, 2],
    ] as const) {
      const engine = new EmbeddedEngine();
      const documents = ['a', 'b', 'a'].map(id => ({ id, text: id }));
      await assert.rejects(ingest(documents, { engine, batch }), {
        code: 'duplicate-id',
        message: /documents 1 and 3 have one id.*"a"/,
      });
      assert.equal(await size(engine), stored);
    }
    await assert.rejects(ingest(['x', { id: 'document-0001', text: 'y' }]), {
      code: 'duplicate-id',
    });
  });

  test('returns the given engine', async () => {
    const engine = new EmbeddedEngine();
    assert.equal((await ingest(['a'], { engine })).engine, engine);
  });
});
