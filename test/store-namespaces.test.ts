/**
 * Tests exclusive writers that cannot see each other's processes: containers that share a volume
 * under one host name. `unshare` makes their PID namespaces.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freeCall } from '../src/core/trace/call.ts';
import { nodeDisk } from '../src/stores/disk/disk.ts';
import { SIGN_MS, SILENT_MS } from '../src/stores/disk/lock-holder.ts';
import { Store } from '../src/stores/disk/store.ts';
import { takeLock } from '../src/stores/disk/write-lock.ts';
import { freshFolder } from './fresh-folder.ts';

const root = freshFolder();

const WRITER = fileURLToPath(new URL('./oracles/store-writer.ts', import.meta.url));
const UNSHARE = ['--pid', '--fork', '--mount-proc', '--kill-child'];
const isAllowed = spawnSync('unshare', [...UNSHARE, 'true']).status === 0;
const skip = isAllowed ? false : '`unshare --pid --mount-proc` is not permitted here';

/** A writer in a PID namespace of its own, where its process id is small. */
interface Writer {
  readonly child: ChildProcess;
  readonly acknowledged: () => string[];
  readonly errors: () => string;
  readonly done: Promise<number | null>;
}

function writer(folder: string, prefix: string, count: number, batch: number): Writer {
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', WRITER];
  const words = [...UNSHARE, ...node, folder, prefix, String(count), String(batch)];
  const child = spawn('unshare', words);
  let printed = '';
  let errors = '';
  child.stdout.on('data', data => (printed += data));
  child.stderr.on('data', data => (errors += data));
  const done = new Promise<number | null>(resolve => child.on('close', resolve));
  return {
    child,
    acknowledged: () => printed.split('\n').slice(0, -1),
    errors: () => errors,
    done,
  };
}

async function storedIn(folder: string): Promise<Set<string>> {
  const store = await Store.open(folder);
  assert.deepEqual((await store.verify()).problems, []);
  return new Set((await store.snapshot()).documents.map(({ id }) => id));
}

const lockOf = (folder: string): string =>
  join(folder, readdirSync(folder).findLast(name => /^lock-\d+$/.test(name))!);

/** Makes the last sign of life of a lock older, as the clock of the disk sees it. */
function silence(path: string, ms: number): void {
  const then = new Date(Date.now() - ms);
  utimesSync(path, then, then);
}

const STRANGER = { pid: 1, host: hostname(), began: '1@x', namespace: 'pid:[1]', signs: 2000 };

describe('writers in PID namespaces of their own', { skip }, () => {
  test('three write at once: every acknowledged document is stored', async () => {
    for (let round = 0; round < 2; round++) {
      const folder = join(root, `three-${round}`);
      const writers = ['a', 'b', 'c'].map(prefix => writer(folder, prefix, 60, 1));
      const codes = await Promise.all(writers.map(({ done }) => done));
      assert.deepEqual(codes, [0, 0, 0], writers.map(({ errors }) => errors()).join('\n'));
      const stored = await storedIn(folder);
      const acknowledged = writers.flatMap(one => one.acknowledged());
      assert.equal(acknowledged.length, 180);
      assert.deepEqual(
        acknowledged.filter(id => !stored.has(id)),
        [],
      );
    }
  });

  test('one is killed: the others go on once it has been silent for long', async () => {
    const folder = join(root, 'killed');
    const writing = writer(folder, 'k', 100_000, 3);
    while (writing.acknowledged().length < 6) await new Promise(resolve => setTimeout(resolve, 5));
    writing.child.kill('SIGKILL');
    await writing.done;
    const held = readFileSync(lockOf(folder), 'utf8');
    const store = await Store.open(folder, { waitMs: 0 });
    const put = () => store.put([{ id: 'z', title: '', text: 'z', metadata: {} }], freeCall());
    if (!held.includes('free')) {
      await assert.rejects(put(), { code: 'store-locked', message: /another container/ });
      silence(lockOf(folder), SILENT_MS + 1000);
    }
    assert.equal((await put()).added, 1);
    const stored = await storedIn(folder);
    for (const id of [...writing.acknowledged(), 'z']) assert.ok(stored.has(id), id);
  });
});

describe('a lock of a process that cannot be seen', () => {
  test('counts as held until its signs of life end', async () => {
    const folder = join(root, 'signs');
    const store = await Store.open(folder, { create: true, waitMs: 0 });
    const put = (id: string) => store.put([{ id, title: '', text: 'x', metadata: {} }], freeCall());
    for (const holder of [STRANGER, { ...STRANGER, host: 'another-machine' }]) {
      const path = lockOf(folder);
      writeFileSync(path, JSON.stringify(holder));
      await assert.rejects(put('a'), { code: 'store-locked' });
      silence(path, SILENT_MS - 5000);
      await assert.rejects(put('a'), { code: 'store-locked' });
      silence(path, SILENT_MS + 1000);
      assert.equal((await put(holder.host)).added, 1);
    }
  });

  test('that gives no signs counts as held for ever, whatever its age', async () => {
    const folder = join(root, 'no-signs');
    const store = await Store.open(folder, { create: true, waitMs: 0 });
    const { signs, ...silent } = STRANGER;
    writeFileSync(lockOf(folder), JSON.stringify(silent));
    silence(lockOf(folder), 1000 * SILENT_MS);
    const put = store.put([{ id: 'a', title: '', text: 'x', metadata: {} }], freeCall());
    await assert.rejects(put, { code: 'store-locked', message: /delete ".*lock-\d+"/ });
    assert.equal(signs, 2000);
  });

  test('drafts of other namespaces stay', async () => {
    const folder = join(root, 'drafts');
    const store = await Store.open(folder, { create: true });
    writeFileSync(join(folder, 'lock.00000000-1073741824-0.tmp'), '{}');
    await store.put([{ id: 'a', title: '', text: 'x', metadata: {} }], freeCall());
    assert.ok(readdirSync(folder).includes('lock.00000000-1073741824-0.tmp'));
  });
});

describe('a writer that was suspended', () => {
  test('stores nothing once another has taken its lock', async () => {
    const folder = join(root, 'suspended');
    let paused: (() => void) | undefined;
    // The write stops before its last step, as a suspended process does, until it is woken.
    const disk = {
      ...nodeDisk,
      async write(path: string, ...rest: [readonly Uint8Array[], { sync?: boolean }?]) {
        if (paused === undefined && /documents-/.test(path))
          await new Promise<void>(resolve => (paused = resolve));
        return nodeDisk.write(path, ...rest);
      },
    };
    await (await Store.open(folder, { create: true })).close();
    const asleep = await Store.open(folder, { disk });
    const late = asleep.put([{ id: 'late', title: '', text: 'x', metadata: {} }], freeCall());
    while (paused === undefined) await new Promise(resolve => setTimeout(resolve, 1));
    writeFileSync(lockOf(folder), JSON.stringify(STRANGER));
    silence(lockOf(folder), SILENT_MS + 1000);
    const awake = await Store.open(folder);
    await awake.put([{ id: 'first', title: '', text: 'x', metadata: {} }], freeCall());
    paused();
    await assert.rejects(late, { code: 'store-locked', message: /suspended/ });
    assert.deepEqual([...(await storedIn(folder))], ['first']);
  });

  test('a holder gives signs of life until its release, and leaves the lock unchanged', async t => {
    const folder = join(root, 'touched');
    await (await Store.open(folder, { create: true })).close();
    t.mock.timers.enable({ apis: ['setInterval'] });
    const lock = await takeLock(nodeDisk, folder);
    const path = lockOf(folder);
    const text = readFileSync(path, 'utf8');
    silence(path, SILENT_MS);
    const before = await nodeDisk.modified!(path);
    t.mock.timers.tick(SIGN_MS);
    while ((await nodeDisk.modified!(path)) - before < SILENT_MS - 1000)
      await new Promise(resolve => setTimeout(resolve, 1));
    assert.equal(readFileSync(path, 'utf8'), text);
    await lock.release();
    silence(path, SILENT_MS);
    t.mock.timers.tick(10 * SIGN_MS);
    await new Promise(resolve => setTimeout(resolve, 20));
    assert.ok((await nodeDisk.modified!(path)) < before + SILENT_MS / 2);
  });
});
