/** Tests `multihop documents`: what a store holds, and what was skipped. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { freshFolder, printed, run, succeeds } from './running-command.ts';

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

const listed = (...words: string[]): Promise<{ documents: Document[]; skipped: Skipped[] }> =>
  printed(['documents', '--store', store, ...words]);
interface Document {
  readonly id: string;
  readonly path: string;
}
interface Skipped {
  readonly path: string;
  readonly line?: number;
  readonly reason: string;
}

test('documents are listed with title, sections and file', async () => {
  const { documents, ...rest } = await listed();
  assert.deepEqual(rest, { store, files: 2, skipped: 2, belowHalf: 0 });
  const changed = '2024-03-04';
  const kept = { words: 5, visibleWords: 5 };
  assert.deepEqual(
    documents.map(document => ({ ...document, path: join(process.cwd(), document.path) })),
    [
      { id: '1', title: 'First', sections: 0, path: join(notes, 'lines.jsonl'), changed },
      {
        id: 'ferry.md',
        title: 'Ferry',
        sections: 2,
        path: join(notes, 'ferry.md'),
        changed,
        ...kept,
      },
    ],
  );
});

test('the text has one line a document, with tabs', async () => {
  const { out } = await run(['documents', '--store', store]);
  assert.match(out, /^1\tFirst\t0\t.*\nferry\.md\tFerry\t2\t.*\t5\/5\t\n$/);
});

test('a filter leaves documents out; an unknown field is refused', async () => {
  const { documents } = await listed('--filter', 'source = Ledger');
  assert.deepEqual(
    documents.map(({ id }) => id),
    ['1'],
  );
  for (const words of [['nothing = 1'], ['source = Ledger', '--skipped']])
    assert.equal((await run(['documents', '--store', store, '--filter', ...words])).code, 2);
});

test('what was skipped is named with its reason, until it is read', async () => {
  const { skipped } = await listed('--skipped');
  assert.deepEqual(
    skipped.map(({ path, line }) => [join(process.cwd(), path), line]),
    [
      [join(notes, 'blob.bin'), undefined],
      [join(notes, 'lines.jsonl'), 2],
    ],
  );
  assert.match(skipped[0]!.reason, /binary/);
  rmSync(join(notes, 'blob.bin'));
  writeFileSync(join(notes, 'lines.jsonl'), '{"id":"1","title":"First","text":"One."}\n');
  await run(['ingest', notes, '--store', store]);
  assert.deepEqual(await listed('--skipped'), { store, skipped: [] });
});

test('language and day of the last change are listed where they are known', async () => {
  const page = join(freshFolder(), 'a.html');
  const target = join(freshFolder(), 's');
  writeFileSync(page, '<html lang="de"><p>Der Motor.');
  utimesSync(page, new Date('2024-03-05'), new Date('2024-03-05T12:00:00Z'));
  await succeeds(['ingest', page, '--store', target]);
  const { documents } = await printed(['documents', '--store', target]);
  assert.deepEqual([documents[0].language, documents[0].changed], ['de', '2024-03-05']);
  const filtered = await run(['documents', '--store', target, '--filter', 'language = de']);
  assert.match(filtered.out, /^a\.html\t/);
});
