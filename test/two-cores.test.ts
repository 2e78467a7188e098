/** Tests that an ingest by two cores makes the store, the events and the skips of one core. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { mock, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ReadingProcess } from '../src/documents/files/isolated.ts';
import { jsonl } from '../src/documents/formats/json.ts';
import { readDocuments } from '../src/documents/read-documents.ts';
import { openDocumentStore } from '../src/session/open-store.ts';
import { freshFolder } from './fresh-folder.ts';

/** Runs work as on a machine of so many cores. */
async function withCores<T>(cores: number, work: () => Promise<T>): Promise<T> {
  const mocked = mock.method(os, 'availableParallelism', () => cores);
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    mocked.mock.restore();
    syncBuiltinESMExports();
  }
}

/** Counts the processes that read files. */
async function countingProcesses<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly processes: number }> {
  const mocked = mock.method(ReadingProcess.prototype, 'read');
  try {
    const result = await work();
    return { result, processes: new Set(mocked.mock.calls.map(call => call.this)).size };
  } finally {
    mocked.mock.restore();
  }
}

const page = (at: number): string =>
  `<div><p>Tern guide</p></div><h1>Page ${at}</h1><p>Ferry ${at} sails to <a href="p${at + 1}.html">the next</a>.</p><div><p>Made with care.</p></div>`;

const numbered = (count: number, path: (at: number) => string, text: (at: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [path(at), text(at)]));

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  ...numbered(
    6,
    at => `a/${at}.adoc`,
    at => `= Long ${at}\n\nIt is long.`,
  ),
  ...numbered(40, at => `p/p${at}.html`, page),
  ...numbered(
    40,
    at => `m/m${at}.md`,
    at => `# Note ${at}\n\nBy Ada ${at}.`,
  ),
  'm/empty.md': '',
  'm/nul.md': 'a\0b',
  'm/front.md': '---\ndate: 2024-01-02 10:00\ntags: [a, b]\n---\n# Dated\n\nA day.',
  'm/zipped.md.gz': gzipSync('# Zipped\n\nIt was packed.'),
  'm/guess.txt': Buffer.from('cf f0 e8 e2 e5 f2 2c 20 ec e8 f0 21'.replaceAll(' ', ''), 'hex'),
  'm/unknown.xyz': 'Of a format that nobody knows.',
  'p/deep.html': `${'<b>'.repeat(3000)}deep`,
  'p/z.html.gz': gzipSync(page(99)),
  'r/a.jsonl': '{"id": "one", "text": "First."}\n{"text": 1}\n{"id": "one", "text": "Again."}',
  'r/b.jsonl': '{"id": "one", "text": "Of another file."}',
  'r/bad.json': '[{"text": "a"}, ',
  's/table.rst': 'Table\n=====\n\n.. include:: part.txt\n\nDone.',
  's/broken.docx': 'PK and no archive',
};

function written(): string {
  const folder = join(freshFolder(), 'docs');
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    // A store keeps no time of a file that may change unseen.
    utimesSync(join(folder, path), 1_700_000_000, 1_700_000_000);
  }
  return folder;
}

async function eventsOf(folder: string): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const event of readDocuments([folder])) events.push(event);
  return events;
}

/** The names of the files of a store, which hold their checksums, and what names them. */
const filesOf = (store: string): readonly unknown[] => [
  readdirSync(store).filter(name => /\.(?:bin|jsonl)$/.test(name)),
  JSON.parse(readFileSync(join(store, 'store.json'), 'utf8')),
];

/** Ends with an error once so many documents are stored. */
async function ingested(folder: string, store: string, most = 1000): Promise<unknown> {
  await using open = await openDocumentStore(store, { create: true });
  for await (const event of open.ingest({ paths: [folder] }, { batch: 40 }))
    if (event.type === 'stored' && event.documents > most) throw new Error('interrupted');
  return open.documents({ limit: 1000 });
}

test('documents and skips come as from one core, and two processes read isolated formats', async () => {
  const folder = written();
  const one = await countingProcesses(() => withCores(1, () => eventsOf(folder)));
  const two = await countingProcesses(() => withCores(2, () => eventsOf(folder)));
  assert.deepEqual(two.result, one.result);
  assert.deepEqual([one.processes, two.processes], [1, 2]);
});

test('a store has the bytes of one that one core made, after an interrupt too', async () => {
  const folder = written();
  const at = (name: string): string => join(dirname(folder), name);
  const documents = await withCores(1, () => ingested(folder, at('one')));
  await withCores(2, async () => {
    await ingested(folder, at('two'));
    assert.deepEqual(filesOf(at('two')), filesOf(at('one')));
    await assert.rejects(ingested(folder, at('cut'), 60), /interrupted/);
    assert.deepEqual(await ingested(folder, at('cut')), documents);
  });
});

for (const name of ['a.jsonl', 'a.jsonl.gz'])
  test(`an abort ends the reading of ${name}, a file of records, before its end`, async () => {
    const path = join(freshFolder(), name);
    const records = '{"text": "Of a ferry."}\n'.repeat(20_000);
    writeFileSync(path, name.endsWith('.gz') ? gzipSync(records) : records);
    const stop = new AbortController();
    let read = 0;
    const original = jsonl.read;
    const mocked = mock.method(
      jsonl,
      'read',
      async function* (...args: Parameters<typeof original>) {
        for await (const found of original(...args)) {
          read++;
          yield found;
        }
      },
    );
    try {
      const work = withCores(2, async () => {
        for await (const _ of readDocuments([path], { signal: stop.signal }))
          stop.abort(new Error('enough'));
      });
      await assert.rejects(work, /enough/);
    } finally {
      mocked.mock.restore();
    }
    assert.equal(read, 2, 'records read, of 20,000');
  });
