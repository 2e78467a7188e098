/**
 * Tests a store on a real disk: what it writes, what it leaves unchanged, and exclusive writers.
 * `attack.test.ts` kills them.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import type { Document } from '../src/core/corpus/document.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { type Disk, nodeDisk } from '../src/stores/disk/disk.ts';
import { STORE_VERSION } from '../src/stores/disk/manifest.ts';
import { Store } from '../src/stores/disk/store.ts';
import { freshFolder } from './fresh-folder.ts';

const newFolder = (): string => join(freshFolder(), 'store');

function documentOf(id: string, text = `The ferry ${id} left.`): Document {
  return { id, title: id, text, metadata: { source: 'Post', n: 3, tags: ['a', 'b'], open: true } };
}

const counts = (added: number, changed: number, unchanged: number): object => {
  return { added, changed, unchanged, removed: 0 };
};

/** Returns names, sizes and contents, without the locks. */
function imageOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter(name => !name.startsWith('lock'));
  return Object.fromEntries(
    names.map(name => [
      name,
      `${statSync(join(folder, name)).mtimeMs} ${readFileSync(join(folder, name), 'latin1')}`,
    ]),
  );
}

async function ids(store: Store): Promise<string[]> {
  return (await store.snapshot()).documents.map(({ id }) => id);
}

const WRITER = fileURLToPath(new URL('./oracles/store-writer.ts', import.meta.url));

function writer(folder: string, prefix: string, count: number, batch: number): Promise<number> {
  const numbers = [String(count), String(batch)];
  const words = ['--disable-warning=ExperimentalWarning', WRITER, folder, prefix, ...numbers];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise(resolve => child.on('close', code => resolve(code ?? 1)));
}

describe('a store on disk', () => {
  test('returns documents unchanged, in this and in another process', async () => {
    const folder = newFolder();
    const odd = documentOf('odd', 'Lone \ud800 surrogate, \u2028, "quotes", \u0000 and 😀');
    const store = await Store.open(folder, { create: true });
    assert.deepEqual(await store.put([odd, documentOf('b')], freeCall()), counts(2, 0, 0));
    await store.close();
    const again = await Store.open(folder);
    assert.deepEqual((await again.snapshot()).documents, [documentOf('b'), odd]);
    assert.equal(again.digest(), store.digest());
  });

  test('equal documents write nothing; changed ones are replaced, missing ones stay', async () => {
    const folder = newFolder();
    const store = await Store.open(folder, { create: true });
    await store.put([documentOf('a'), documentOf('b')], freeCall());
    await store.close();
    const before = imageOf(folder);
    const again = await Store.open(folder);
    assert.deepEqual(
      await again.put([documentOf('a'), documentOf('b')], freeCall()),
      counts(0, 0, 2),
    );
    await again.close();
    assert.deepEqual(imageOf(folder), before);
    assert.deepEqual(
      await again.put([documentOf('b', 'Another text.')], freeCall()),
      counts(0, 1, 0),
    );
    assert.deepEqual(await ids(await Store.open(folder)), ['a', 'b']);
    assert.equal(
      (await (await again.snapshot()).read('document', ['b'], freeCall()))[0]!.text,
      'Another text.',
    );
  });

  test('removed and replaced text is in no file', async () => {
    const folder = newFolder();
    const store = await Store.open(folder, { create: true });
    for (let index = 0; index < 9; index++) await store.put([documentOf(`d${index}`)], freeCall());
    await store.put([documentOf('old', 'xylophone-canary')], freeCall());
    await store.close();
    assert.match(Object.values(imageOf(folder)).join(), /xylophone/);
    await store.put([documentOf('old', 'nothing to see')], freeCall());
    assert.doesNotMatch(Object.values(imageOf(folder)).join(), /xylophone/);
    await store.put([documentOf('other', 'marimba-canary')], freeCall());
    await store.remove(['other', 'd3'], freeCall());
    await store.close();
    assert.doesNotMatch(Object.values(imageOf(folder)).join(), /marimba/);
    assert.equal((await ids(store)).length, 9);
  });

  test('rejects unknown ids, duplicate ids and documents that cannot be stored, without any change', async () => {
    const store = await Store.open(newFolder(), { create: true });
    await store.put([documentOf('a')], freeCall());
    await assert.rejects(store.remove(['a', 'z'], freeCall()), { code: 'unknown-id' });
    await assert.rejects(store.put([documentOf('b'), documentOf('b')], freeCall()), {
      code: 'duplicate-id',
    });
    const strange = { ...documentOf('c'), metadata: { n: Number.NaN } };
    await assert.rejects(store.put([documentOf('d'), strange], freeCall()), {
      code: 'bad-document',
      message: /"c".*"n"/,
    });
    assert.deepEqual(await ids(store), ['a']);
  });

  test('documents written one by one lie in few files', async () => {
    const store = await Store.open(newFolder(), { create: true });
    for (let index = 0; index < 64; index++) await store.put([documentOf(`d${index}`)], freeCall());
    assert.ok(store.manifest.segments.length <= 7, `${store.manifest.segments.length} files`);
  });

  test('agrees with a Map over any sequence of puts, removes and reopenings', async () => {
    const step = fc.oneof(
      fc.record({
        put: fc.uniqueArray(
          fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.integer({ min: 0, max: 2 })),
          {
            selector: ([id]) => id,
            maxLength: 4,
          },
        ),
      }),
      fc.record({ remove: fc.constantFrom('a', 'b', 'c', 'd', 'e') }),
      fc.constant({ reopen: true }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async steps => {
        const folder = newFolder();
        const model = new Map<string, Document>();
        let store = await Store.open(folder, { create: true });
        for (const action of steps) {
          if ('reopen' in action) {
            await store.close();
            store = await Store.open(folder);
          } else if ('put' in action) {
            const documents = action.put.map(([id, version]) =>
              documentOf(id, `Version ${version}.`),
            );
            const { added, changed, unchanged } = await store.put(documents, freeCall());
            assert.equal(added, documents.filter(({ id }) => !model.has(id)).length);
            assert.equal(
              unchanged,
              documents.filter(({ id, text }) => model.get(id)?.text === text).length,
            );
            assert.equal(added + changed + unchanged, documents.length);
            for (const document of documents) model.set(document.id, document);
          } else if (model.delete(action.remove)) await store.remove([action.remove], freeCall());
          else
            await assert.rejects(store.remove([action.remove], freeCall()), { code: 'unknown-id' });
        }
        await store.close();
        assert.deepEqual(await ids(await Store.open(folder)), [...model.keys()].sort());
        const report = await store.verify();
        assert.deepEqual([report.ok, report.orphans], [true, []]);
      }),
      { numRuns: 25 },
    );
  });
});

describe('opening', () => {
  test('opens a store that another process creates meanwhile', async () => {
    for (const create of [true, false]) {
      const folder = newFolder();
      let looks = 0;
      const late: Disk = {
        ...nodeDisk,
        async list(path) {
          if (looks++ === 0)
            await (await Store.open(folder, { create: true })).put([documentOf('a')], freeCall());
          return nodeDisk.list(path);
        },
      };
      assert.deepEqual(await ids(await Store.open(folder, { create, disk: late })), ['a']);
    }
  });

  test('a folder that cannot be created is an error, not an endless wait', {
    skip: existsSync('/proc/self') ? false : 'only Linux has a folder that takes no other',
  }, () => {
    const disk = new URL('../src/stores/disk/disk.ts', import.meta.url).href;
    const script = `import { nodeDisk } from '${disk}'; await nodeDisk.makeFolder('/proc/x/y').catch(error => process.stdout.write(error.code));`;
    const made = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      timeout: 10_000,
      encoding: 'utf8',
    });
    assert.equal(made.stdout, 'ENOENT');
  });

  test('rejects a missing folder, a file, and a folder with other files', async () => {
    const folder = newFolder();
    await assert.rejects(Store.open(folder), { code: 'no-store', message: /openStore\(path\)/ });
    assert.equal(existsSync(folder), false);
    writeFileSync(folder, 'a file');
    await assert.rejects(Store.open(folder, { create: true }), { code: 'not-a-store' });
    rmSync(folder);
    mkdirSync(folder);
    writeFileSync(join(folder, 'letter.txt'), 'Dear Ilse');
    await assert.rejects(Store.open(folder, { create: true }), {
      code: 'not-a-store',
      message: /letter\.txt/,
    });
    assert.deepEqual(readdirSync(folder), ['letter.txt']);
    writeFileSync(join(folder, 'store.json'), '{"format":"something else"}');
    await assert.rejects(Store.open(folder, { create: true }), { code: 'not-a-store' });
  });

  test('rejects another version and leaves it unchanged', async () => {
    const folder = newFolder();
    const store = await Store.open(folder, { create: true });
    await store.put([documentOf('a')], freeCall());
    const path = join(folder, 'store.json');
    for (const version of [STORE_VERSION + 1, 0, 99, '"1"', 'null']) {
      writeFileSync(
        path,
        readFileSync(path, 'utf8').replace(/"version": [^,]*/, `"version": ${version}`),
      );
      const before = imageOf(folder);
      await assert.rejects(Store.open(folder, { create: true }), {
        code: 'other-store-version',
        message: new RegExp(`version ${STORE_VERSION}`),
      });
      await assert.rejects(store.put([documentOf('b')], freeCall()), {
        code: 'other-store-version',
      });
      assert.deepEqual(imageOf(folder), before);
    }
  });

  test('rejects another chunker and accepts the same one', async () => {
    const folder = newFolder();
    await Store.open(folder, { create: true, chunker: 'tokens(overlap=60, size=300)' });
    await Store.open(folder, { chunker: 'tokens(size=300, overlap=60)' });
    await assert.rejects(Store.open(folder, { chunker: 'whole' }), {
      code: 'other-chunker',
      message: /size=300/,
    });
    assert.equal((await Store.open(folder)).manifest.chunker, 'tokens(size=300, overlap=60)');
  });

  const root = process.getuid?.() === 0;
  test('a folder without write permission: readable, with a clear error on writing', {
    skip: root ? 'root may write everywhere; see the command line’s test' : false,
  }, async () => {
    const folder = newFolder();
    const store = await Store.open(folder, { create: true });
    await store.put([documentOf('a')], freeCall());
    chmodSync(folder, 0o555);
    try {
      assert.deepEqual(await ids(await Store.open(folder)), ['a']);
      await assert.rejects(store.put([documentOf('b')], freeCall()), {
        code: 'store-not-writable',
      });
    } finally {
      chmodSync(folder, 0o755);
    }
  });
});

describe('several writers', () => {
  test('four processes lose no document', async () => {
    const folder = newFolder();
    const codes = await Promise.all(
      ['p', 'q', 'r', 's'].map(prefix => writer(folder, prefix, 120, 10)),
    );
    assert.deepEqual(codes, [0, 0, 0, 0]);
    const store = await Store.open(folder);
    assert.equal((await ids(store)).length, 480);
    const report = await store.verify();
    assert.deepEqual([report.ok, report.orphans], [true, []]);
  });

  test('a reader sees one whole generation while another process writes', async () => {
    const folder = newFolder();
    const reader = await Store.open(folder, { create: true });
    const writing = writer(folder, 'w', 300, 5);
    let over = false;
    void writing.then(() => (over = true));
    const seen = new Set<number>();
    while (!over) {
      const { documents } = await reader.snapshot();
      assert.equal(documents.length % 5, 0);
      seen.add(documents.length);
      const opened = await Store.open(folder);
      assert.equal((await opened.snapshot()).documents.length % 5, 0);
    }
    assert.ok(seen.size > 3, `${[...seen]}`);
    assert.equal((await ids(reader)).length, 300);
  });

  /** Opens a new store, and a function that lets another writer hold its lock. */
  async function lockable(waitMs?: number) {
    const folder = newFolder();
    const store = await Store.open(folder, { create: true, waitMs });
    const lock = (): string => readdirSync(folder).find(name => name.startsWith('lock-'))!;
    const hold = (by: object): void => writeFileSync(join(folder, lock()), JSON.stringify(by));
    const put = (id: string, call = freeCall()) => store.put([documentOf(id)], call);
    return { lock, hold, put };
  }
  const STRANGER = { pid: 12, host: 'another-machine', began: '' };

  test('waits for another writer, then names it', async () => {
    const { hold, put } = await lockable(200);
    hold({ pid: process.pid, host: hostname(), began: beganOf(process.pid) });
    const message = new RegExp(`process ${process.pid}`);
    const began = performance.now();
    await assert.rejects(put('a'), { code: 'store-locked', message });
    assert.ok(performance.now() - began >= 190);
    setTimeout(() => hold({ free: true }), 60);
    assert.equal((await put('a')).added, 1);
  });

  test('ignores a lock of an ended process, or of one whose id was reused', async () => {
    const { hold, put } = await lockable(0);
    for (const [index, held] of [
      { pid: 2 ** 30, host: hostname(), began: '' },
      { pid: process.pid, host: hostname(), began: 'long ago' },
    ].entries()) {
      hold(held);
      if (index === 1 && beganOf(process.pid) === '') continue;
      assert.equal((await put(`d${index}`)).added, 1);
    }
  });

  test('respects a lock of another machine and names its file', async () => {
    const { lock, hold, put } = await lockable(0);
    hold(STRANGER);
    const message = new RegExp(`another-machine.*${lock()}`);
    await assert.rejects(put('a'), { code: 'store-locked', message });
  });

  test('an abort ends the wait', async () => {
    const { hold, put } = await lockable();
    hold(STRANGER);
    const ended = freeCall(AbortSignal.timeout(50));
    await assert.rejects(put('a', ended), { name: 'TimeoutError' });
    const before = freeCall(AbortSignal.abort(new Error('enough')));
    await assert.rejects(put('a', before), { message: 'enough' });
  });
});

/**
 * Returns the start time of a process as the lock records it; empty if the system does not provide
 * it.
 */
function beganOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}@${boot}`;
  } catch {
    return '';
  }
}
