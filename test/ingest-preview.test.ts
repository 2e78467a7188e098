/** Tests `ingest --dry-run`, which tells what an ingest would do and writes nothing. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { freshFolder, printed, refuses, run, succeeds } from './running-command.ts';

/** Everything in a folder, byte for byte. */
const bytesOf = (folder: string): unknown =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'base64')])
    .sort();

function notes(files: Readonly<Record<string, string>>): { docs: string; store: string } {
  const folder = freshFolder();
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(docs, name), text);
  return { docs, store: join(folder, 'store') };
}

test('it lists what would be added, changed and removed, and leaves the store as it is', async () => {
  const { docs, store } = notes({ 'a.md': 'A.', 'b.md': 'B.', 'c.md': 'C.' });
  await run(['ingest', docs, '--store', store]);
  writeFileSync(join(docs, 'b.md'), 'B is another.');
  writeFileSync(join(docs, 'd.md'), 'D.');
  rmSync(join(docs, 'c.md'));
  const before = bytesOf(store);
  const words = ['ingest', docs, '--store', store, '--dry-run'];
  const { out } = await succeeds([...words, '--sync']);
  assert.match(
    out,
    /^\+ d\.md\n~ b\.md\n- c\.md\n1 to add, 1 to change, 1 unchanged, 1 to remove, /,
  );
  assert.match(out, /0 skipped; nothing was written\n$/);
  const plain = await run(words);
  assert.match(plain.err, /1 stored documents of files that vanished would stay; --sync removes/);
  assert.doesNotMatch(plain.out, /^- /m);
  assert.deepEqual(bytesOf(store), before);
});

test('it makes no store, and refuses what would write or wait', async () => {
  const { docs, store } = notes({ 'a.md': 'A.' });
  assert.deepEqual((await printed(['ingest', docs, '--store', store, '--dry-run'])).added, [
    'a.md',
  ]);
  assert.ok(!existsSync(store));
  for (const words of [[docs, '--watch'], [docs, '--embedder', 'openai-compatible:toy'], []]) {
    await refuses(['ingest', ...words, '--store', store, '--dry-run'], /--dry-run/);
  }
});

test('it counts what the ingest behind it does, whatever changed', async () => {
  const step = fc.record({
    name: fc.constantFrom('a.md', 'b.md', 'c.md'),
    text: fc.constantFrom('One.', 'Two.', undefined),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 4 }), fc.boolean(), async (steps, sync) => {
      const { docs, store } = notes({ 'a.md': 'One.', 'z.md': 'Z.' });
      await run(['ingest', docs, '--store', store]);
      for (const { name, text } of steps)
        if (text === undefined) rmSync(join(docs, name), { force: true });
        else writeFileSync(join(docs, name), text);
      const words = ['ingest', docs, '--store', store, ...(sync ? ['--sync'] : [])];
      const told = await printed([...words, '--dry-run']);
      const done = await printed(words);
      for (const counted of ['added', 'changed', 'removed'])
        assert.equal(told[counted].length, done[counted], counted);
      for (const counted of ['unchanged', 'vanished'])
        assert.equal(told[counted], done[counted], counted);
    }),
    { numRuns: 15 },
  );
});

test('ask says that the list of files is damaged, and whose paths it does not know', async () => {
  const { docs, store } = notes({ 'a.md': 'The Linnet lost its engines.' });
  await run(['ingest', docs, '--store', store]);
  const list = readdirSync(store).find(name => name.startsWith('sources-'))!;
  writeFileSync(join(store, list), 'x');
  const { err } = await run(['ask', 'Which ship lost its engines?', '--store', store]);
  assert.match(err, /damaged/);
  assert.match(err, /no path is known of a\.md/);
  await run(['ingest', docs, '--store', store]);
  const again = await run(['ask', 'Which ship lost its engines?', '--store', store]);
  assert.doesNotMatch(again.err, /damaged/);
  assert.match(again.out, /docs\/a\.md/);
});
