/** Tests that a store keeps no more of written documents than their lines, as bytes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { freeCall } from '../src/core/trace/call.ts';
import { Store } from '../src/stores/disk/store.ts';
import { CrashingDisk } from './oracles/crashing-disk.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Returns MiB in use once they are below `most`; what is freed is counted some turns later. */
async function usedBelow(most: number, used: () => number): Promise<number> {
  for (let turn = 0; ; turn++) {
    collect();
    const megabytes = used() / (1 << 20);
    if (turn === 20 || megabytes < most) return megabytes;
    await setTimeout(10);
  }
}
const heap = (): number => process.memoryUsage().heapUsed;
const all = (): number => heap() + process.memoryUsage().external;

test('texts that were written and indexed are no strings in memory', async () => {
  const store = await Store.open('/store', { create: true, disk: new CrashingDisk() });
  const text = (at: number): string => `The Linnet ${at} lost its engines. `.repeat(1 << 12);
  // One write first, so that code and tables of the store do not count.
  await store.put([{ id: 'first', title: 'First', text: 'The first.', metadata: {} }], freeCall());
  await store.close();
  const before = await usedBelow(Number.POSITIVE_INFINITY, heap);
  for (let at = 0; at < 40; at++) {
    await store.put([{ id: `${at}`, title: 'Ship', text: text(at), metadata: {} }], freeCall());
  }
  await store.close();
  const kept = (await usedBelow(before + 2, heap)) - before;
  assert.ok(kept < 2, `${kept.toFixed(1)} MiB of heap for texts of 5 MiB`);
  const { documents } = await store.snapshot();
  for (const { id, text: read } of documents.filter(one => one.id !== 'first'))
    assert.ok(read === text(Number(id)));
});

test('texts that are slices of large files do not keep the files in memory', async () => {
  const store = await Store.open('/store', { create: true, disk: new CrashingDisk() });
  const before = await usedBelow(Number.POSITIVE_INFINITY, all);
  for (let batch = 0; batch < 4; batch++) {
    const documents = Array.from({ length: 5 }, (_, at) => {
      const file = Buffer.alloc(2 << 20, `file ${batch} ${at} `).toString('latin1');
      return { id: `${batch}-${at}`, title: 'Slice', text: file.slice(100, 1100), metadata: {} };
    });
    await store.put(documents, freeCall());
  }
  assert.equal((await store.snapshot()).documents.length, 20);
  // 40 MiB of files, 20 kB of texts; the last batch may not be collected yet.
  const kept = (await usedBelow(before + 20, all)) - before;
  assert.ok(kept < 20, `${kept.toFixed(1)} MiB`);
});
