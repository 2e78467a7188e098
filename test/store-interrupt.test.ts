/** Tests that an abort at any moment ends the writing of a store, and leaves the store whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document } from '../src/core/corpus/document.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { withoutIndexes } from '../src/stores/disk/manifest.ts';
import { Store } from '../src/stores/disk/store.ts';
import { verifyStore } from '../src/stores/disk/verify-store.ts';
import { CrashingDisk } from './oracles/crashing-disk.ts';

const FOLDER = '/store';
const DOCUMENTS: Document[] = Array.from({ length: 40 }, (_, at) => ({
  id: `d${at}`,
  title: `Ferry ${at}`,
  metadata: {},
  text: `The ferry ${at} sails. It carries ${at * 7} cars.`,
}));

/** A signal that aborts when it is asked for the so-manieth time. */
function signalAt(abortAt: number): { readonly signal: AbortSignal; readonly asked: () => number } {
  const abort = new AbortController();
  let asked = 0;
  abort.signal.throwIfAborted = () => {
    if (++asked < abortAt) return;
    abort.abort(new Error('stopped'));
    throw abort.signal.reason;
  };
  return { signal: abort.signal, asked: () => asked };
}

async function written(disk: CrashingDisk): Promise<Store> {
  const store = await Store.open(FOLDER, { create: true, disk });
  await store.put(DOCUMENTS, freeCall());
  return store;
}

/** The names of the indexes, which hold their checksums, without the generation. */
const indexesOf = ({ manifest }: Store): string[] =>
  manifest.segments.flatMap(({ indexes = [] }) =>
    indexes.map(({ file }) => file.replace(/-\d{8}-/, '-')),
  );

test('an abort ends the writing of indexes; a later close writes the same ones', async () => {
  const whole = await written(new CrashingDisk());
  const { signal, asked } = signalAt(Number.POSITIVE_INFINITY);
  await whole.close({ signal });
  const all = asked();
  assert.ok(all > 100, `${all} pauses`);
  assert.deepEqual(withoutIndexes(whole.manifest), []);
  for (const at of [1, 2, Math.floor(all / 3), Math.floor((2 * all) / 3), all - 1, all]) {
    const disk = new CrashingDisk();
    const store = await written(disk);
    await assert.rejects(store.close(signalAt(at)), /stopped/, `pause ${at} of ${all}`);
    assert.equal(withoutIndexes(store.manifest).length, 1);
    assert.ok((await verifyStore(FOLDER, disk)).ok);
    await store.close();
    assert.deepEqual(indexesOf(store), indexesOf(whole));
    const report = await verifyStore(FOLDER, disk);
    assert.ok(report.ok);
    assert.deepEqual(report.orphans, []);
  }
});

test('an aborted write stores none of its documents', async () => {
  const counted = signalAt(Number.POSITIVE_INFINITY);
  const whole = await Store.open(FOLDER, { create: true, disk: new CrashingDisk() });
  await whole.put(DOCUMENTS, freeCall(counted.signal));
  for (let at = 1; at <= counted.asked(); at++) {
    const store = await Store.open(FOLDER, { create: true, disk: new CrashingDisk() });
    await assert.rejects(store.put(DOCUMENTS, freeCall(signalAt(at).signal)), /stopped/);
    assert.equal(store.manifest.documents, 0);
    await store.put(DOCUMENTS, freeCall());
    assert.equal(store.digest(), whole.digest());
  }
});

test('documents that come while indexes are built get theirs at the next close', async () => {
  const store = await written(new CrashingDisk());
  const closing = store.close();
  await store.put([{ id: 'later', title: '', text: 'A later ferry.', metadata: {} }], freeCall());
  await closing;
  await store.close();
  assert.deepEqual(withoutIndexes(store.manifest), []);
});
