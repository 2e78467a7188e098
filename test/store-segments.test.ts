/** Tests the segments of a store: indexes survive writes that do not touch their documents. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document } from '../src/core/corpus/document.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { takeTurns } from '../src/platform/clock.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { STORED_INDEXES, withoutIndexes } from '../src/stores/disk/manifest.ts';
import { Store } from '../src/stores/disk/store.ts';
import { CrashingDisk, randomOf } from './oracles/crashing-disk.ts';

const FOLDER = '/store';
const call = freeCall();

const documentOf = (number: number, version = 1): Document => ({
  id: `d${String(number).padStart(3, '0')}`,
  title: `Note ${number}`,
  text: `The ferry ${number} left harbour ${number % 7}. Captain ${version} saw rain.`,
  metadata: { source: number % 2 ? 'Post' : 'Courier' },
});
const range = (from: number, to: number): Document[] =>
  Array.from({ length: to - from }, (_, at) => documentOf(from + at));

async function answers(search: EmbeddedEngine['current']): Promise<unknown[]> {
  const seen: unknown[] = [];
  const filter = { op: 'eq', field: 'source', value: 'Post' } as const;
  for (const unit of ['document', 'passage', 'sentence'] as const)
    for (const scorer of ['bm25', 's1'])
      seen.push(
        await search.search(
          {
            unit,
            scorer,
            k: 8,
            queries: ['ferry harbour 3', 'captain 2', 'Post rain'].flatMap(text => [
              { text },
              { text, filter },
            ]),
          },
          call,
        ),
      );
  return seen;
}

test('a put keeps the indexes of files that it does not touch', async () => {
  const disk = new CrashingDisk();
  const store = await Store.open(FOLDER, { create: true, disk });
  await store.put(range(0, 40), call);
  await store.close();
  const [before] = store.manifest.segments;
  assert.equal(before!.indexes!.length, STORED_INDEXES.length);
  await store.put(range(40, 43), call);
  assert.deepEqual(store.manifest.segments[0], before);
  assert.equal(withoutIndexes(store.manifest).length, 1);
  const [, added] = store.manifest.segments;
  await store.close();
  assert.deepEqual(store.manifest.segments[0], before);
  assert.equal(store.manifest.segments[1]!.sha256, added!.sha256);
  assert.equal(withoutIndexes(store.manifest).length, 0);
  assert.deepEqual((await store.verify()).problems, []);
});

test('a store searched between writes equals one built at once, before and after reopening', async () => {
  const disk = new CrashingDisk();
  const random = randomOf(3);
  const there = new Map<string, Document>();
  const other = await Store.open(FOLDER, { create: true, disk });
  const store = await Store.open(FOLDER, { disk });
  for (let round = 0; round < 24; round++) {
    // Another process writes at times, and writes the indexes.
    const writer = round % 5 === 4 ? other : store;
    if (round % 4 === 3) {
      const ids = [...there.keys()].filter(() => random() < 0.2);
      await writer.remove(ids, call);
      for (const id of ids) there.delete(id);
    } else {
      const batch = range(0, 90)
        .filter(() => random() < 0.1)
        .map(({ id }) => documentOf(Number(id.slice(1)), round));
      await writer.put(batch, call);
      for (const document of batch) there.set(document.id, document);
    }
    if (round % 3 === 2) await writer.close();
    const whole = new EmbeddedEngine({ documents: there.values() });
    const expected = await answers(whole.current);
    assert.deepEqual(await answers(await store.snapshot()), expected, `round ${round}`);
    const reopened = await Store.open(FOLDER, {
      disk,
      onWarning: ({ message }) => assert.fail(message),
    });
    assert.deepEqual(await answers(await reopened.snapshot()), expected, `round ${round}`);
  }
  await store.close();
  assert.deepEqual((await store.verify()).problems, []);
});

test('a snapshot taken at any moment of a write has the documents before or after it', async () => {
  const disk = new CrashingDisk();
  const store = await Store.open(FOLDER, { create: true, disk });
  await store.put(range(0, 5), call);
  await answers(await store.snapshot());
  for (let written = 5; written < 12; written++) {
    let open = true;
    const put = store.put([documentOf(written)], call).finally(() => {
      open = false;
    });
    const ask = async (later: number): Promise<void> => {
      for (let turn = 0; turn < later; turn++) await Promise.resolve();
      for (let asked = 0; open; asked++) {
        // A write that takes long waits for a turn of the event loop, which promises alone starve.
        if (asked % 100 === 99) await takeTurns();
        const { documents } = await store.snapshot();
        assert.ok(documents.length === written || documents.length === written + 1);
        assert.equal(documents.at(-1)!.id, range(0, documents.length).at(-1)!.id);
      }
    };
    await Promise.all([put, ...Array.from({ length: 12 }, (_, later) => ask(later))]);
    const after = await store.snapshot();
    assert.deepEqual(
      after.documents.map(({ id }) => id),
      range(0, written + 1).map(({ id }) => id),
    );
    assert.deepEqual(
      await answers(after),
      await answers(new EmbeddedEngine({ documents: range(0, written + 1) }).current),
    );
  }
});
