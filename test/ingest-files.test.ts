/** Tests ingests of files: ids over folders, unchanged files, and files that vanished. */
import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { openDocumentStore } from '../src/edges/serving/open-store.ts';
import { nodeDisk } from '../src/edges/storage/disk.ts';
import { readManifest } from '../src/edges/storage/generation.ts';
import { readSources } from '../src/edges/storage/source-files.ts';
import { freshFolder, run } from './running-command.ts';

interface Ingested {
  readonly read: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly vanished: number;
  readonly documents: number;
}

/** Writes files into a fresh folder; returns a function that joins paths to it. */
function tree(files: Readonly<Record<string, string>>): (path: string) => string {
  const folder = freshFolder();
  const at = (path: string): string => join(folder, path);
  for (const [path, text] of Object.entries(files)) write(at(path), text);
  return at;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function ingest(store: string, ...words: string[]): Promise<Ingested> {
  const { code, out, err } = await run(['ingest', ...words, '--store', store, '--json']);
  assert.equal(code, 0, err);
  return JSON.parse(out) as Ingested;
}

async function stored(folder: string): Promise<Record<string, string>> {
  await using store = await openDocumentStore(folder, { create: false });
  const { documents } = await store.documents({ limit: 1000 });
  return Object.fromEntries(documents.map(({ id, text }) => [id, text]));
}

test('folders with files of one name, ingested one after the other, keep them all', async () => {
  const at = tree({ 'a/README.md': 'Of a.', 'b/README.md': 'Of b.', 'c/b/README.md': 'Of c.' });
  await ingest(at('s'), at('a'));
  assert.equal((await ingest(at('s'), at('b'))).added, 1);
  assert.equal((await ingest(at('s'), at('c/b'))).added, 1);
  const documents = { 'README.md': 'Of a.', 'b/README.md': 'Of b.', 'b-2/README.md': 'Of c.' };
  assert.deepEqual(await stored(at('s')), documents);
  for (const again of [['a'], ['b'], ['c/b'], ['c/b', 'b', 'a']]) {
    const { added, changed } = await ingest(at('s'), ...again.map(at));
    assert.deepEqual({ added, changed }, { added: 0, changed: 0 }, again.join(' '));
  }
  assert.deepEqual(await stored(at('s')), documents);
});

test('folders ingested together have ids that begin with their names', async () => {
  const at = tree({ 'a/README.md': 'Of a.', 'b/README.md': 'Of b.' });
  assert.equal((await ingest(at('s'), at('a'), at('b'))).added, 2);
  assert.deepEqual(await stored(at('s')), { 'a/README.md': 'Of a.', 'b/README.md': 'Of b.' });
});

test('an id that a file of another folder has goes to no second file', async () => {
  const at = tree({ 'a/b/x.md': 'Inside a.', 'b/x.md': 'Of b.' });
  await ingest(at('s'), at('a'));
  await ingest(at('s'), at('b'));
  assert.deepEqual(await stored(at('s')), { 'b/x.md': 'Inside a.', 'b-2/x.md': 'Of b.' });
});

test('a file or folder inside a known folder keeps its id', async () => {
  const at = tree({ 'a/b/x.md': 'X.', 'a/y.md': 'Y.' });
  await ingest(at('s'), at('a'));
  for (const path of ['a/b', 'a/b/x.md', 'a/y.md'])
    assert.equal((await ingest(at('s'), at(path))).added, 0, path);
  assert.deepEqual(Object.keys(await stored(at('s'))), ['b/x.md', 'y.md']);
});

test('a folder is known again after folder and store moved together, and after the store moved', async () => {
  const at = tree({ 'p/a/x.md': 'X.', 'p/b/x.md': 'Of b.' });
  await ingest(at('p/s'), at('p/a'));
  await ingest(at('p/s'), at('p/b'));
  renameSync(at('p'), at('q'));
  assert.equal((await ingest(at('q/s'), at('q/b'), at('q/a'))).added, 0);
  cpSync(at('q/s'), at('elsewhere/deep/s'), { recursive: true });
  renameSync(at('q'), at('p'));
  assert.equal((await ingest(at('elsewhere/deep/s'), at('p/a'), at('p/b'))).added, 0);
});

test('a file of unchanged size and time is not read, one of unchanged content not parsed', async () => {
  const at = tree({ 'a/x.md': 'One.', 'a/y.md': 'Two.' });
  const old = new Date(Date.now() - 60_000);
  for (const name of ['a/x.md', 'a/y.md']) utimesSync(at(name), old, old);
  await ingest(at('s'), at('a'));
  // Other content of equal size and time: the store cannot tell, by design.
  writeFileSync(at('a/x.md'), 'Six.');
  utimesSync(at('a/x.md'), old, old);
  assert.equal((await ingest(at('s'), at('a'))).changed, 0);
  const later = new Date(Date.now() - 30_000);
  utimesSync(at('a/x.md'), later, later);
  utimesSync(at('a/y.md'), later, later);
  const { changed, unchanged } = await ingest(at('s'), at('a'));
  assert.deepEqual({ changed, unchanged }, { changed: 1, unchanged: 1 });
  assert.equal((await stored(at('s')))['x.md'], 'Six.');
});

test('a file that changes at once after its ingest, with equal size and time, is noticed', async () => {
  const at = tree({ 'a/x.md': 'One.' });
  await ingest(at('s'), at('a'));
  const { atime, mtime } = statSync(at('a/x.md'));
  writeFileSync(at('a/x.md'), 'Six.');
  utimesSync(at('a/x.md'), atime, mtime);
  assert.equal((await ingest(at('s'), at('a'))).changed, 1);
});

test('a removed document comes back with its unchanged file', async () => {
  const at = tree({ 'a/x.md': 'One.', 'a/y.md': 'Two.' });
  await ingest(at('s'), at('a'));
  assert.equal((await run(['remove', 'x.md', '--store', at('s')])).code, 0);
  assert.equal((await ingest(at('s'), at('a'))).added, 1);
});

test('--sync removes what vanished below the given paths, and nothing else', async () => {
  const at = tree({
    'a/x.md': 'X.',
    'a/deep/y.md': 'Y.',
    'b/z.md': 'Z.',
    'b/lines.jsonl': '{"id":"1","text":"First."}\n{"id":"2","text":"Second."}\n',
  });
  await ingest(at('s'), at('a'), at('b'));
  {
    await using store = await openDocumentStore(at('s'));
    await store.ingest([{ id: 'own', text: 'Of a program.' }]);
  }
  rmSync(at('a/x.md'));
  rmSync(at('a/deep'), { recursive: true });
  rmSync(at('b/z.md'));
  write(at('b/lines.jsonl'), '{"id":"2","text":"Second."}\n');
  write(at('a/new.md'), 'New.');
  const kept = await ingest(at('s'), at('a'));
  assert.deepEqual([kept.removed, kept.vanished, kept.documents], [0, 2, 7]);
  const synced = await ingest(at('s'), at('a'), '--sync');
  assert.deepEqual([synced.removed, synced.vanished, synced.documents], [2, 0, 5]);
  // The changed file is read here first, and told from vanished ones by its second reading.
  assert.equal((await ingest(at('s'), at('b'))).vanished, 2);
  assert.equal((await ingest(at('s'), at('b'), '--sync')).removed, 2);
  assert.deepEqual(Object.keys(await stored(at('s'))), ['2', 'a/new.md', 'own']);
  assert.equal((await ingest(at('s'), at('a'), at('b'), '--sync')).removed, 0);
});

test('--sync keeps the documents of a file that can no longer be read, and refuses a missing folder', async () => {
  const at = tree({ 'a/x.md': 'X.', 'a/lines.jsonl': '{"id":"1","text":"First."}\n' });
  await ingest(at('s'), at('a'));
  write(at('a/lines.jsonl'), '{"id":"1",');
  assert.equal((await ingest(at('s'), at('a'), '--sync')).documents, 2);
  renameSync(at('a'), at('elsewhere'));
  assert.equal((await run(['ingest', at('a'), '--store', at('s'), '--sync'])).code, 2);
  assert.deepEqual(Object.keys(await stored(at('s'))), ['1', 'x.md']);
});

test('a folder whose files all vanished is emptied by --sync', async () => {
  const at = tree({ 'a/x.md': 'X.' });
  await ingest(at('s'), at('a'));
  rmSync(at('a/x.md'));
  assert.equal((await ingest(at('s'), at('a'), '--sync')).documents, 0);
});

test('a renamed file is stored under its new id before the old one goes', async () => {
  const at = tree({ 'a/x.md': 'X.', 'a/y.md': 'Y.' });
  await ingest(at('s'), at('a'));
  renameSync(at('a/x.md'), at('a/z.md'));
  const { added, removed } = await ingest(at('s'), at('a'), '--sync');
  assert.deepEqual({ added, removed }, { added: 1, removed: 1 });
  assert.deepEqual(Object.keys(await stored(at('s'))), ['y.md', 'z.md']);
});

test('the records of some documents equal those among all, after any writes', async () => {
  const folder = freshFolder();
  const notes = join(folder, 'notes');
  mkdirSync(notes);
  const store = join(folder, 'store');
  for (let round = 0; round < 3; round++) {
    for (let at = 0; at < 4; at++)
      writeFileSync(join(notes, `${at}"${round % 2}.md`), `# ${at}\n\nText ${round}.`);
    if (round === 2) rmSync(join(notes, '1"0.md'));
    await run(['ingest', notes, '--store', store, '--sync']);
  }
  const manifest = await readManifest(nodeDisk, store);
  assert.ok(manifest);
  const all = await readSources(nodeDisk, store, manifest);
  const ids = [...all.records.values()].flatMap(record => record.ids);
  assert.ok(ids.length > 4);
  for (const id of [...ids, 'missing']) {
    const some = await readSources(nodeDisk, store, manifest, () => {}, [id]);
    const told = (known: typeof all) =>
      [...known.records.values()].filter(record => record.ids.includes(id));
    assert.deepEqual(told(some), told(all));
  }
});

test('a folder that was renamed keeps its ids with --sync, and is named', async () => {
  const at = tree({ 'a/x.md': 'X.', 'a/y.md': 'Y.', 'a/deep/z.md': 'Z.', 'b/x.md': 'Of b.' });
  await ingest(at('s'), at('a'));
  await ingest(at('s'), at('b'));
  const before = await stored(at('s'));
  renameSync(at('a'), at('c'));
  rmSync(at('c/y.md'));
  const told = await run(['ingest', at('c'), '--store', at('s'), '--sync', '--dry-run']);
  assert.match(told.out, /^- y\.md\n0 to add/);
  const moved = await run(['ingest', at('c'), '--store', at('s'), '--sync']);
  assert.match(moved.err, /\/c is .*\/a under another name: its documents keep their ids/);
  assert.match(moved.out, /0 added, 0 changed, 2 unchanged, 1 removed/);
  const { 'y.md': _, ...left } = before;
  assert.deepEqual(await stored(at('s')), left);
  const again = await run(['ingest', at('c'), '--store', at('s'), '--sync']);
  assert.doesNotMatch(again.err, /another name/);
  assert.match(again.out, /2 unchanged, 0 removed/);
  write(at('c/new.md'), 'New.');
  assert.equal((await ingest(at('s'), at('c'), '--sync')).added, 1);
  assert.ok('new.md' in (await stored(at('s'))));
});

test('a folder is not taken for another one that is still there, differs, or without --sync', async () => {
  const files = { 'a/x.md': 'X.', 'a/y.md': 'Y.' };
  for (const change of ['copy', 'other', 'no sync'] as const) {
    const at = tree(files);
    await ingest(at('s'), at('a'));
    if (change === 'copy') cpSync(at('a'), at('c'), { recursive: true });
    else renameSync(at('a'), at('c'));
    if (change === 'other') write(at('c/x.md'), 'Another.');
    const words = change === 'no sync' ? [] : ['--sync'];
    assert.equal((await ingest(at('s'), at('c'), ...words)).added, 2, change);
    assert.ok('c/x.md' in (await stored(at('s'))), change);
  }
});

test('documents of two folders with one id of their own are both kept', async () => {
  const one = '{"id":"x","text":"One."}\n';
  const at = tree({ 'one/c.jsonl': one, 'two/c.jsonl': '{"id":"x","text":"Two."}\n' });
  await ingest(at('s'), at('one'));
  const second = await run(['ingest', at('two'), '--store', at('s')]);
  assert.equal(second.code, 0, second.err);
  assert.doesNotMatch(second.err, /replaced/);
  const both = { x: 'One.', 'two/x': 'Two.' };
  assert.deepEqual(await stored(at('s')), both);
  write(at('two/c.jsonl'), '{"id":"x","text":"Two, changed."}\n');
  assert.equal((await ingest(at('s'), at('two'))).changed, 1);
  assert.deepEqual(await stored(at('s')), { ...both, 'two/x': 'Two, changed.' });
  assert.equal((await ingest(at('s'), at('one'), at('two'), '--sync')).unchanged, 2);
  // Read together, they have the same ids.
  assert.equal((await ingest(at('t'), at('one'), at('two'))).added, 2);
  assert.deepEqual(Object.keys(await stored(at('t'))).sort(), ['two/x', 'x']);
  // Documents of a file that is gone may have moved.
  rmSync(at('one/c.jsonl'));
  write(at('three/c.jsonl'), one);
  const moved = await ingest(at('s'), at('three'));
  assert.deepEqual([moved.added, moved.unchanged], [0, 1]);
});

test('a document that takes the id of one of another file of its folder is named', async () => {
  const at = tree({
    'a/one.jsonl': '{"id":"x","text":"One."}\n',
    'a/two.jsonl': '{"id":"x","text":"Two."}\n',
  });
  await run(['ingest', at('a/one.jsonl'), '--store', at('s')]);
  const second = await run(['ingest', at('a/two.jsonl'), '--store', at('s')]);
  assert.match(second.err, /1 document replaced .* "x" of .*a\/one\.jsonl.*a\/two\.jsonl/);
  const again = await run(['ingest', at('a/two.jsonl'), '--store', at('s')]);
  assert.doesNotMatch(again.err, /replaced/);
});
