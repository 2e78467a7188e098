/**
 * Tests a store whose `store.json` was replaced by an older one, and files in it that are of a
 * strange size or no files.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, rmSync, statSync, truncateSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Document } from '../src/core/corpus/document.ts';
import { freeCall } from '../src/core/trace/call.ts';
import type { StoreWarning } from '../src/stores/disk/read-packed.ts';
import { Store } from '../src/stores/disk/store.ts';
import { freshFolder } from './fresh-folder.ts';

const root = freshFolder();

const documentOf = (id: string): Document => ({
  id,
  title: '',
  text: `The ferry ${id} left.`,
  metadata: {},
});
const idsIn = async (store: Store): Promise<string[]> =>
  (await store.snapshot()).documents.map(({ id }) => id);
const filesOf = (folder: string, kind: string): string[] =>
  readdirSync(folder).filter(name => name.startsWith(`${kind}-`));

/** A store whose `store.json` of three documents is replaced by that of the first two. */
async function rolledBack(name: string): Promise<string> {
  const folder = join(root, name);
  const store = await Store.open(folder, { create: true });
  await store.put([documentOf('a'), documentOf('b')], freeCall());
  copyFileSync(join(folder, 'store.json'), join(root, `${name}.older`));
  await store.put([documentOf('c')], freeCall());
  copyFileSync(join(folder, 'store.json'), join(root, `${name}.newer`));
  copyFileSync(join(root, `${name}.older`), join(folder, 'store.json'));
  return folder;
}

describe('an older store.json that was put back', () => {
  test('is noticed at opening', async () => {
    const folder = await rolledBack('noticed');
    const warnings: StoreWarning[] = [];
    const store = await Store.open(folder, { onWarning: warning => warnings.push(warning) });
    assert.deepEqual(await idsIn(store), ['a', 'b']);
    assert.deepEqual(
      warnings.map(({ code, file }) => ({ code, file })),
      [{ code: 'store-older', file: 'store.json' }],
    );
    assert.match(warnings[0]!.message, /generation 1, but 2 was written/);
  });

  test('costs nothing: after a further write the newer one can still be put back', async () => {
    const folder = await rolledBack('kept');
    const store = await Store.open(folder);
    await store.put([documentOf('d')], freeCall());
    assert.equal(store.manifest.generation, 3);
    copyFileSync(join(root, 'kept.newer'), join(folder, 'store.json'));
    assert.deepEqual(await idsIn(await Store.open(folder)), ['a', 'b', 'c']);
  });

  test('its newer files are removed once they are older than a day', async () => {
    const folder = await rolledBack('aged');
    const newest = filesOf(folder, 'documents').at(-1)!;
    const dayAgo = new Date(Date.now() - 25 * 3600 * 1000);
    utimesSync(join(folder, newest), dayAgo, dayAgo);
    await (await Store.open(folder)).put([documentOf('d')], freeCall());
    assert.ok(!filesOf(folder, 'documents').includes(newest));
  });

  test('files that a write replaces are removed at once, and no store warns of its own writes', async () => {
    const folder = join(root, 'replaced');
    const warnings: StoreWarning[] = [];
    const onWarning = (warning: StoreWarning): number => warnings.push(warning);
    const store = await Store.open(folder, { create: true, onWarning });
    await store.put([documentOf('a'), documentOf('b')], freeCall());
    const before = filesOf(folder, 'documents');
    await store.remove(['a'], freeCall());
    assert.ok(!filesOf(folder, 'documents').includes(before[0]!));
    assert.deepEqual(await idsIn(await Store.open(folder, { onWarning })), ['b']);
    assert.deepEqual(warnings, []);
  });
});

describe('a file of a store that is no such file', () => {
  const sparse = (path: string): void => truncateSync(path, 60e9);
  const fifo = (path: string): void => {
    rmSync(path);
    assert.equal(spawnSync('mkfifo', [path]).status, 0);
  };
  const folderInstead = (path: string): void => {
    rmSync(path);
    spawnSync('mkdir', [path]);
  };
  const CASES = [
    ['of 60 GB', sparse, 'store-damaged'],
    ['a pipe', fifo, 'store-unreadable'],
    ['a folder', folderInstead, 'store-unreadable'],
  ] as const;

  for (const [what, spoil, code] of CASES)
    for (const kind of ['store.json', 'documents'])
      test(`${kind}, ${what}: a typed error before memory is allocated`, async () => {
        const folder = join(root, `${what} ${kind}`.replaceAll(' ', '-'));
        const store = await Store.open(folder, { create: true });
        await store.put([documentOf('a')], freeCall());
        const name = kind === 'store.json' ? kind : filesOf(folder, kind)[0]!;
        spoil(join(folder, name));
        const before = process.memoryUsage().rss;
        await assert.rejects(Store.open(folder), { code });
        assert.ok(process.memoryUsage().rss - before < 500e6);
      });

  for (const [what, spoil] of CASES)
    test(`an index, ${what}: a warning, and it is built again`, async () => {
      const folder = join(root, `index ${what}`.replaceAll(' ', '-'));
      const store = await Store.open(folder, { create: true });
      await store.put([documentOf('a')], freeCall());
      await store.close();
      const indexes = filesOf(folder, 'index');
      assert.ok(indexes.length > 0);
      for (const name of indexes) spoil(join(folder, name));
      const codes: string[] = [];
      const opened = await Store.open(folder, { onWarning: ({ code }) => codes.push(code) });
      assert.deepEqual(await idsIn(opened), ['a']);
      assert.ok(codes.includes('index-damaged'), codes.join());
    });

  test('a lock of 60 GB is read in part, and counts as cut', async () => {
    const folder = join(root, 'lock');
    const store = await Store.open(folder, { create: true });
    const lock = readdirSync(folder).findLast(name => name.startsWith('lock-'))!;
    sparse(join(folder, lock));
    assert.equal((await store.put([documentOf('a')], freeCall())).added, 1);
  });
});

describe('files of a store', () => {
  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

  test('are private to the owner of a folder that the store made', async () => {
    const folder = join(root, 'private');
    const store = await Store.open(folder, { create: true });
    await store.put([documentOf('a')], freeCall());
    await store.close();
    assert.equal(modeOf(folder), '700');
    for (const name of readdirSync(folder)) assert.equal(modeOf(join(folder, name)), '600', name);
  });

  test('are readable to whom the folder lets in', async () => {
    const folder = join(root, 'group');
    spawnSync('mkdir', ['-m', '750', folder]);
    await (await Store.open(folder, { create: true })).put([documentOf('a')], freeCall());
    for (const name of readdirSync(folder)) assert.equal(modeOf(join(folder, name)), '640', name);
  });
});
