/** Tests `multihop documents`: what a store holds, and what was skipped. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { argv, freshFolder, run, succeeds } from './running-command.ts';

const folder = freshFolder();
const store = join(folder, 'deep', 's');
const notes = join(folder, 'notes');

before(async () => {
  mkdirSync(notes);
  writeFileSync(join(notes, 'ferry.md'), '# Ferry\n\nIt sails.\n\n## Times\n\nAt noon.\n');
  writeFileSync(
    join(notes, 'lines.jsonl'),
    '{"id":"1","title":"First","text":"One.","source":"Ledger"}\n{"id":\n',
  );
  writeFileSync(join(notes, 'blob.bin'), Uint8Array.from([0, 1, 2, 0]));
  for (const name of ['ferry.md', 'lines.jsonl'])
    utimesSync(join(notes, name), new Date('2024-03-04'), new Date('2024-03-04T12:00:00Z'));
  await succeeds(['ingest', notes, '--store', store]);
});

async function listed(...words: string[]): Promise<unknown> {
  const { out } = await succeeds(['documents', '--store', store, '--json', ...words]);
  return JSON.parse(out);
}

const changed = '2024-03-04';
const FIRST = { id: '1', title: 'First', sections: 0, path: join(notes, 'lines.jsonl'), changed };

test('documents are listed with title, sections and file', async () => {
  const shown = (await listed()) as { documents: { path: string }[] };
  const documents = shown.documents.map(document => ({
    ...document,
    path: join(process.cwd(), document.path),
  }));
  assert.deepEqual(
    { ...shown, documents },
    {
      store,
      files: 2,
      skipped: 2,
      documents: [
        FIRST,
        { id: 'ferry.md', title: 'Ferry', sections: 2, path: join(notes, 'ferry.md'), changed },
      ],
    },
  );
});

test('the text has one line a document, with tabs', async () => {
  const { out } = await run(['documents', '--store', store]);
  const lines = out
    .trimEnd()
    .split('\n')
    .map(line => line.split('\t').slice(0, 3));
  assert.deepEqual(lines, [
    ['1', 'First', '0'],
    ['ferry.md', 'Ferry', '2'],
  ]);
});

test('a filter leaves documents out; an unknown field is refused', async () => {
  const { documents } = (await listed('--filter', 'source = Ledger')) as {
    documents: { id: string }[];
  };
  assert.deepEqual(
    documents.map(({ id }) => id),
    ['1'],
  );
  const wrong = await run(['documents', '--store', store, '--filter', 'nothing = 1']);
  assert.equal(wrong.code, 2, wrong.err);
  const both = await run(argv`documents --store ${store} --filter ${'source = Ledger'}
      --skipped`);
  assert.equal(both.code, 2);
});

test('what was skipped is named with its reason, until it is read', async () => {
  const { skipped } = (await listed('--skipped')) as { skipped: Record<string, unknown>[] };
  assert.deepEqual(
    skipped.map(({ path, line }) => [join(process.cwd(), String(path)), line]),
    [
      [join(notes, 'blob.bin'), undefined],
      [join(notes, 'lines.jsonl'), 2],
    ],
  );
  assert.match(String(skipped[0]!['reason']), /binary/);
  rmSync(join(notes, 'blob.bin'));
  writeFileSync(join(notes, 'lines.jsonl'), '{"id":"1","title":"First","text":"One."}\n');
  await run(['ingest', notes, '--store', store]);
  assert.deepEqual(await listed('--skipped'), { store, skipped: [] });
});

test('language and day of the last change are listed where they are known', async () => {
  const pages = join(freshFolder(), 'pages');
  mkdirSync(pages);
  writeFileSync(join(pages, 'a.html'), '<html lang="de"><p>Der Motor.');
  utimesSync(join(pages, 'a.html'), new Date('2024-03-05'), new Date('2024-03-05T12:00:00Z'));
  const target = join(freshFolder(), 's');
  await run(['ingest', pages, '--store', target]);
  const { out } = await run(['documents', '--store', target, '--json']);
  const { documents } = JSON.parse(out) as { documents: { language: string; changed: string }[] };
  assert.deepEqual(
    documents.map(({ language, changed }) => [language, changed]),
    [['de', '2024-03-05']],
  );
  const filtered = await run(['documents', '--store', target, '--filter', 'language = de']);
  assert.match(filtered.out, /^a\.html\t/);
});
