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
import { openDocumentStore } from '../src/session/open-store.ts';
import { nodeDisk } from '../src/stores/disk/disk.ts';
import { readManifest } from '../src/stores/disk/generation.ts';
import { readSources } from '../src/stores/disk/source-files.ts';
import { argv, freshFolder, printed, run, succeeds } from './running-command.ts';

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

type Counts = Readonly<Record<string, number>>;
const ingest = (store: string, ...words: string[]): Promise<Counts> =>
  printed(['ingest', ...words, '--store', store]);

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
  await succeeds(['remove', 'x.md', '--store', at('s')]);
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

const record = (id: string, text: string): string => `${JSON.stringify({ id, text })}\n`;

const OLD = new Date(Date.now() - 60_000);

/** Makes files older than the time in which a change may go unnoticed, all equally old. */
function age(...paths: string[]): void {
  for (const path of paths) utimesSync(path, OLD, OLD);
}

test('ids that two files state begin with their file, whatever order the files came in', async () => {
  const at = tree({
    'a/one.jsonl': record('x', 'One.') + record('y', 'Only here.'),
    'a/b/two.csv': 'id,text\nx,Two.\n',
    'c/one.jsonl': record('x', 'Another folder.'),
  });
  const both = { 'one.jsonl/x': 'One.', 'b/two.csv/x': 'Two.', y: 'Only here.' };
  const together = await succeeds(['ingest', at('a'), '--store', at('s')]);
  assert.match(
    together.err,
    /2 documents state ids that another file has too.*x is b\/two\.csv\/x/,
  );
  assert.deepEqual(await stored(at('s')), both);
  // One file today, the other tomorrow: the first is named anew once it is read again.
  await ingest(at('t'), at('a/one.jsonl'));
  await ingest(at('t'), at('a/b/two.csv'));
  assert.deepEqual(await stored(at('t')), { x: 'One.', 'b/two.csv/x': 'Two.', y: 'Only here.' });
  const again = await ingest(at('t'), at('a'));
  assert.deepEqual([again.added, again.removed, again.vanished], [1, 1, 0]);
  assert.deepEqual(await stored(at('t')), both);
  const folders = { 'a/one.jsonl/x': 'One.', 'a/b/two.csv/x': 'Two.', y: 'Only here.' };
  await ingest(at('u'), at('c'), at('a'));
  assert.deepEqual(await stored(at('u')), { ...folders, 'c/one.jsonl/x': 'Another folder.' });
});

test('ids of files are the same at every --sync, whatever was stored before', async () => {
  const at = tree({ 'a/one.jsonl': record('x', 'One.') + record('b.md', 'Names a file.') });
  age(at('a/one.jsonl'));
  await ingest(at('s'), at('a'));
  assert.deepEqual(Object.keys(await stored(at('s'))), ['b.md', 'x']);
  const steps: [string, () => void, Record<string, string>][] = [
    [
      'a file comes that states the same',
      () => write(at('a/two.jsonl'), record('x', 'Two.')),
      { 'one.jsonl/x': 'One.', 'two.jsonl/x': 'Two.', 'b.md': 'Names a file.' },
    ],
    [
      'a file comes that is what another states',
      () => write(at('a/b.md'), 'A file.'),
      {
        'one.jsonl/x': 'One.',
        'two.jsonl/x': 'Two.',
        'one.jsonl/b.md': 'Names a file.',
        'b.md': 'A file.',
      },
    ],
    [
      'a file comes that states what another is called now',
      () => write(at('a/three.jsonl'), record('two.jsonl/x', 'Three.')),
      {
        'one.jsonl/x': 'One.',
        'two.jsonl/x': 'Two.',
        'three.jsonl/two.jsonl/x': 'Three.',
        'one.jsonl/b.md': 'Names a file.',
        'b.md': 'A file.',
      },
    ],
    [
      'the others go',
      () => {
        for (const name of ['two.jsonl', 'three.jsonl', 'b.md']) rmSync(at(`a/${name}`));
      },
      { x: 'One.', 'b.md': 'Names a file.' },
    ],
  ];
  for (const [index, [what, change, expected]] of steps.entries()) {
    change();
    const planned: Record<string, string[]> = await printed(
      argv`ingest ${at('a')} --store ${at('s')} --sync --dry-run`,
    );
    const synced = await ingest(at('s'), at('a'), '--sync');
    assert.deepEqual(await stored(at('s')), expected, what);
    const counts = [planned['added']!.length, planned['removed']!.length];
    assert.deepEqual(counts, [synced['added'], synced['removed']], what);
    await ingest(at(`fresh-${index}`), at('a'));
    assert.deepEqual(await stored(at(`fresh-${index}`)), await stored(at('s')), what);
    const again = await ingest(at('s'), at('a'), '--sync');
    assert.deepEqual([again.added, again.changed, again.removed], [0, 0, 0], what);
  }
});

test('files of one stated id that did not change are not read again', async () => {
  const at = tree({ 'a/one.jsonl': record('x', 'One.'), 'a/two.jsonl': record('x', 'Two.') });
  age(at('a/one.jsonl'), at('a/two.jsonl'));
  await ingest(at('s'), at('a'));
  // Other content of equal size and time shows that a file was read.
  writeFileSync(at('a/one.jsonl'), record('x', 'New.'));
  age(at('a/one.jsonl'));
  const { unchanged } = await ingest(at('s'), at('a'), '--sync');
  assert.equal(unchanged, 2);
  assert.equal((await stored(at('s')))['one.jsonl/x'], 'One.');
});

test('a line that repeats the id of an earlier one is skipped and named', async () => {
  const lines = record('x', 'One.') + record('x', 'Again.') + record('y', 'Other.');
  const at = tree({ 'a/one.jsonl': lines });
  const { skipped } = await printed(['ingest', at('a'), '--store', at('s')]);
  const [{ path, line, reason }, ...more] = skipped;
  assert.deepEqual([path, line, more], [at('a/one.jsonl'), 2, []]);
  assert.match(reason, /the same id "x" as .*one\.jsonl:1/);
  assert.deepEqual(await stored(at('s')), { x: 'One.', y: 'Other.' });
  const strict = await run(['ingest', at('a'), '--store', at('t'), '--strict']);
  assert.match(strict.err, /Two documents have the id "x"/);
});

test('ids of over 1024 characters, "." and ".." are skipped and named', async () => {
  const long = 'x'.repeat(1025);
  const lines = [long, long.slice(1), '.', '..', '...'].map(id => record(id, 'Text.')).join('');
  const at = tree({ 'a/one.jsonl': lines });
  const { skipped } = await printed(['ingest', at('a'), '--store', at('s')]);
  const [tooLong, dot, dots, ...more] = skipped;
  assert.deepEqual([tooLong.line, dot.line, dots.line, more], [1, 3, 4, []]);
  assert.match(tooLong.reason, /at most 1024 characters/);
  assert.match(dot.reason, /other than "\." and "\.\."/);
  assert.deepEqual(Object.keys(await stored(at('s'))), ['...', long.slice(1)]);
});

test('a document that takes the id of one of another file is named', async () => {
  const at = tree({ 'a/one.jsonl': record('b.md', 'One.'), 'a/b.md': 'Two.' });
  await run(['ingest', at('a/one.jsonl'), '--store', at('s')]);
  const second = await run(['ingest', at('a/b.md'), '--store', at('s')]);
  assert.match(second.err, /1 document replaced .* "b\.md" of .*a\/one\.jsonl.*a\/b\.md/);
  // Reading the first again keeps both.
  const both = await run(['ingest', at('a'), '--store', at('s')]);
  assert.doesNotMatch(both.err, /replaced/);
  assert.deepEqual(await stored(at('s')), { 'b.md': 'Two.', 'one.jsonl/b.md': 'One.' });
});
