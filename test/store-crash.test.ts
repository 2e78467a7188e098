/**
 * Tests that a store that is killed, loses power or meets a failing disk between any two steps
 * keeps every acknowledged document, whole.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Document } from '../src/core/corpus/document.ts';
import { PortError } from '../src/core/errors.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { Store } from '../src/stores/disk/store.ts';
import { STORE_CODES } from '../src/stores/disk/store-errors.ts';
import { hashedEmbedder } from '../src/testing/hashed-embedder.ts';
import { CrashingDisk, Died, randomOf } from './oracles/crashing-disk.ts';

const FOLDER = '/store';

function documentOf(id: string, version = 1): Document {
  return {
    id,
    title: `Title ${id}`,
    text: `Harbour ${id} tells of version ${version} and of a ferry.`,
    metadata: { source: 'Test', version },
  };
}

/**
 * Documents that must be stored (acknowledged), and documents that may be (being written at the
 * crash).
 */
interface Expected {
  acknowledged: Map<string, Document>;
  pending: { put: Document[]; removed: string[] } | undefined;
}

const TOY = { name: 'toy', embedder: hashedEmbedder('toy@1', 4), units: ['document'] as const };

/**
 * Puts, changes, embeds, removes, closes: every kind of write, with merges of small files
 * between them.
 */
async function workload(disk: CrashingDisk, expected: Expected): Promise<void> {
  const { acknowledged } = expected;
  const store = await Store.open(FOLDER, { create: true, disk, embedders: [TOY] });
  const put = async (documents: Document[]): Promise<void> => {
    expected.pending = { put: documents, removed: [] };
    await store.put(documents, freeCall());
    for (const document of documents) acknowledged.set(document.id, document);
    expected.pending = undefined;
  };
  await put([documentOf('a'), documentOf('b')]);
  await put([documentOf('c')]);
  await store.close();
  await put([documentOf('b', 2), documentOf('d')]);
  await store.embed(freeCall());
  expected.pending = { put: [], removed: ['a'] };
  await store.remove(['a'], freeCall());
  acknowledged.delete('a');
  expected.pending = undefined;
  await put([documentOf('e')]);
  await store.close();
}

/** Runs the workload until the failure at `step`; returns false if it ended before. */
async function into(disk: CrashingDisk, expected: Expected): Promise<unknown> {
  try {
    await workload(disk, expected);
    return undefined;
  } catch (error) {
    return error;
  }
}

async function stored(
  disk: CrashingDisk,
): Promise<{ documents: Map<string, Document>; store: Store } | undefined> {
  try {
    const store = await Store.open(FOLDER, { disk });
    const snapshot = await store.snapshot();
    return {
      documents: new Map(snapshot.documents.map(document => [document.id, document])),
      store,
    };
  } catch (error) {
    if (PortError.is(error) && error.code === 'no-store') return undefined;
    throw error;
  }
}

/**
 * Checks that every acknowledged document is whole, a pending write is stored completely or not at
 * all, and nothing else is stored.
 */
async function check(disk: CrashingDisk, expected: Expected, place: string): Promise<void> {
  const found = await stored(disk);
  const { acknowledged, pending } = expected;
  const without = new Map(acknowledged);
  const withIt = new Map(acknowledged);
  for (const document of pending?.put ?? []) withIt.set(document.id, document);
  for (const id of pending?.removed ?? []) withIt.delete(id);
  if (!found) {
    assert.equal(acknowledged.size, 0, `${place}: the store is gone`);
    return;
  }
  assert.ok(
    sameEntries(found.documents, without) || sameEntries(found.documents, withIt),
    `${place}: holds ${[...found.documents.keys()]}, acknowledged ${[...acknowledged.keys()]}`,
  );
  const report = await found.store.verify();
  assert.deepEqual(report.problems, [], place);
  await searchable(found.store, found.documents, place);
  // The next run continues after the crash.
  await found.store.put([documentOf('next')], freeCall());
  await found.store.close();
  assert.equal((await stored(disk))!.documents.size, found.documents.size + 1, place);
  assert.deepEqual((await found.store.verify()).orphans, [], place);
}

function sameEntries(a: Map<string, Document>, b: Map<string, Document>): boolean {
  return (
    a.size === b.size &&
    [...a].every(([id, document]) => JSON.stringify(document) === JSON.stringify(b.get(id)))
  );
}

async function searchable(
  store: Store,
  documents: Map<string, Document>,
  place: string,
): Promise<void> {
  const snapshot = await store.snapshot();
  const [hits] = await snapshot.search(
    { unit: 'document', k: 100, queries: [{ text: 'ferry' }] },
    freeCall(),
  );
  assert.deepEqual(hits!.map(({ id }) => id).sort(), [...documents.keys()].sort(), place);
}

async function stepsOf(): Promise<number> {
  const disk = new CrashingDisk();
  const error = await into(disk, { acknowledged: new Map(), pending: undefined });
  assert.equal(error, undefined);
  return disk.steps;
}

async function dieAt(step: number): Promise<{ disk: CrashingDisk; expected: Expected }> {
  const disk = new CrashingDisk();
  disk.failAt = step;
  const expected: Expected = { acknowledged: new Map(), pending: undefined };
  const error = await into(disk, expected);
  assert.ok(error instanceof Died, `step ${step}: ${error}`);
  return { disk, expected };
}

describe('a store survives', () => {
  test('kill -9 before every step', async () => {
    const steps = await stepsOf();
    assert.ok(steps > 100, `${steps} steps`);
    for (let step = 0; step < steps; step++) {
      const { disk, expected } = await dieAt(step);
      await check(disk.afterKill(), expected, `killed before step ${step}`);
    }
  });

  test('a power cut before every step, with five outcomes each', async () => {
    const steps = await stepsOf();
    for (let step = 0; step < steps; step++) {
      for (let seed = 1; seed <= 5; seed++) {
        const { disk, expected } = await dieAt(step);
        await check(
          disk.afterPowerCut(randomOf(step * 100 + seed)),
          expected,
          `power cut before step ${step}, seed ${seed}`,
        );
      }
    }
  });

  test('without syncs a power cut loses acknowledged documents (checks the simulation)', async () => {
    let lost = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const disk = new CrashingDisk();
      const syncless = Object.create(disk) as CrashingDisk;
      syncless.syncFolder = async () => {};
      syncless.write = (path, pieces) => disk.write(path, pieces, { sync: false });
      const store = await Store.open(FOLDER, { create: true, disk: syncless });
      await store.put([documentOf('a')], freeCall());
      try {
        const found = await stored(disk.afterPowerCut(randomOf(seed)));
        if (!found?.documents.has('a')) lost++;
      } catch (error) {
        assert.ok(PortError.is(error), String(error));
        lost++;
      }
    }
    assert.ok(lost > 20, `${lost} of 40 lost`);
  });

  for (const code of ['ENOSPC', 'EIO', 'EMFILE', 'EACCES', 'errno 122', 'errno 4095']) {
    for (const forever of [false, true]) {
      test(`${code} at every step${forever ? ' and afterwards' : ''}: a typed error, no loss`, async () => {
        const steps = await stepsOf();
        for (let step = 0; step < steps; step++) {
          const disk = new CrashingDisk();
          Object.assign(disk, { failAt: step, code, forever });
          const expected: Expected = { acknowledged: new Map(), pending: undefined };
          const error = await into(disk, expected);
          if (error !== undefined)
            assert.ok(
              PortError.is(error) && STORE_CODES[error.code] === 5,
              `${code} at step ${step}: ${error}`,
            );
          disk.failAt = Number.POSITIVE_INFINITY;
          await check(disk.afterKill(), expected, `${code} at step ${step}`);
        }
      });
    }
  }

  test('a full disk with free space again is writable in the same process', async () => {
    const disk = new CrashingDisk();
    const store = await Store.open(FOLDER, { create: true, disk });
    await store.put([documentOf('a')], freeCall());
    Object.assign(disk, {
      failAt: disk.steps + 5,
      code: 'ENOSPC',
      forever: true,
      onlyWrites: true,
    });
    await assert.rejects(store.put([documentOf('b')], freeCall()), { code: 'store-full' });
    const [hits] = await (await store.snapshot()).search(
      { unit: 'document', k: 5, queries: [{ text: 'ferry' }] },
      freeCall(),
    );
    assert.deepEqual(
      hits!.map(({ id }) => id),
      ['a'],
    );
    disk.failAt = Number.POSITIVE_INFINITY;
    assert.deepEqual(await store.put([documentOf('b')], freeCall()), {
      added: 1,
      changed: 0,
      unchanged: 0,
      removed: 0,
    });
  });

  test('after a write that failed at any step the next one reads the disk anew, and goes on', async () => {
    for (let step = 1; step <= 60; step++) {
      const disk = new CrashingDisk();
      const store = await Store.open(FOLDER, { create: true, disk, waitMs: 100 });
      await store.put([documentOf('a')], freeCall());
      // For a moment, or until somebody mends the disk.
      const forever = step > 30;
      Object.assign(disk, { failAt: disk.steps + (step % 30), code: 'EIO', forever });
      const failed = await store.put([documentOf('b')], freeCall()).catch(error => error);
      disk.failAt = Number.POSITIVE_INFINITY;
      if (failed instanceof Error) assert.equal((failed as PortError).code, 'store-failed');
      await store.put([documentOf('c')], freeCall());
      const again = await Store.open(FOLDER, { disk });
      assert.equal(again.digest(), store.digest(), String(step));
      const { documents } = await again.snapshot();
      const ids = documents.map(({ id }) => id).filter(id => id !== 'b');
      assert.deepEqual(ids, ['a', 'c'], String(step));
    }
  });
});
