/** Tests that navigation and footers which pages of a folder repeat are left out, by any order. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Document } from '../src/core/corpus/document.ts';
import { siblingPages } from '../src/documents/files/repeated-blocks.ts';
import { type ReadOptions, readDocuments } from '../src/documents/read-documents.ts';
import { openStore } from '../src/index.ts';
import { Store } from '../src/stores/disk/index.ts';
import { shownBlocks } from './format-blocks.ts';
import { run } from './running-command.ts';

const home = mkdtempSync(join(tmpdir(), 'repeated-'));
after(() => rmSync(home, { recursive: true, force: true }));
let folders = 0;
const newFolder = (): string => join(home, `folder-${folders++}`);

const page = (own: string): string =>
  `<div><p>Tern guide</p><p>Search:</p></div>${own}<div><p>© The Tern authors</p><p>Made with care.</p></div>`;
const OWN = {
  'a.html': page('<h1>Page size</h1><p>4096 bytes.</p><h2>See also</h2><p>The cache.</p>'),
  'b.html': page('<h1>Cache</h1><p>10 rows.</p><h2>See also</h2><p>The page size.</p>'),
  'c.html': page('<h1>Log</h1><p>At level info.</p><h2>See also</h2><p>The cache.</p>'),
};

/** Writes files that are older than what may change unseen. */
function written(
  files: Readonly<Record<string, string | Uint8Array>>,
  folder: string = newFolder(),
): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    utimesSync(join(folder, path), 1_700_000_000, 1_700_000_000);
  }
  return folder;
}

async function read(
  paths: readonly string[],
  options?: ReadOptions,
): Promise<Map<string, Document>> {
  const read = new Map<string, Document>();
  for await (const event of readDocuments(paths, options))
    if (event.type === 'document') read.set(event.document.id, event.document);
  return read;
}

const textsOf = async (paths: readonly string[], options?: ReadOptions): Promise<string[]> =>
  [...(await read(paths, options)).values()].map(({ text }) => text);

test('are left out at both ends of pages; what stands between stays', async () => {
  const documents = await read([written(OWN)]);
  assert.deepEqual(
    shownBlocks(documents.get('b.html')!),
    [
      '1 heading [Cache] Cache',
      '1 prose [Cache] 10 rows.',
      '1 heading [Cache > See also] See also',
      '1 prose [Cache > See also] The page size.',
    ].map(line => line.replace('[Cache > ', '[').replace('[Cache]', '[]')),
  );
});

test('stay on the first page that has them: no text of a folder is lost', async () => {
  const late = (own: string): string => `${own}<div><p>Since 2019.</p></div>`;
  const folder = written({
    ...OWN,
    'b.html': late(OWN['b.html']),
    'c.html': late(OWN['c.html']),
    'd.html': late(page('<h1>Vacuum</h1><p>Frees pages.</p>')),
    'e.html': late(page('<h1>Undo</h1><p>Goes back.</p>')),
  });
  const shared = ['Tern guide', 'Search:', '© The Tern authors', 'Made with care.', 'Since 2019.'];
  const kept = await read([folder]);
  const having = shared.map(text =>
    [...kept.keys()].filter(id => kept.get(id)!.text.includes(text)),
  );
  // The ends of a page stop at text that stays.
  const ends = ['a.html', 'b.html'];
  assert.deepEqual(having, [['a.html'], ['a.html'], ends, ends, ['b.html']]);
  rmSync(join(folder, 'a.html'));
  const now = await read([folder]);
  for (const text of shared)
    assert.deepEqual(
      [...now.keys()].filter(id => now.get(id)!.text.includes(text)),
      ['b.html'],
    );
});

test('stay on the first page that is read, where the project leaves out the first page', async () => {
  const folder = written({
    ...OWN,
    'd.html': page('<h1>Vacuum</h1><p>Frees pages.</p>'),
    '.gitignore': 'a.html\n',
  });
  const holders = async (options?: ReadOptions): Promise<string[]> =>
    [...(await read([folder], options)).values()]
      .filter(({ text }) => /Tern guide[\s\S]*Made with care\./.test(text))
      .map(({ id }) => id);
  assert.deepEqual(await holders(), ['b.html']);
  assert.deepEqual(await holders({ all: true }), ['a.html']);
  const ingest = ['ingest', folder, '--store', newFolder(), '--json'];
  await run(ingest);
  assert.equal((JSON.parse((await run(ingest)).out) as { unchanged: number }).unchanged, 3);
});

test('are none of two pages, of a minority, of other folders, of files that are named, or of all blocks', async () => {
  const { 'a.html': a, 'b.html': b, 'c.html': c } = OWN;
  const other = (at: number): string => `<h1>Other ${at}</h1><p>Text ${at}.</p>`;
  const kept: readonly (readonly string[])[] = [
    await textsOf([written({ 'a.html': a, 'b.html': b })]),
    await textsOf([
      written({
        'a.html': a,
        'b.html': b,
        'c.html': c,
        'd.html': other(1),
        'e.html': other(2),
        'f.html': other(3),
      }),
    ]),
    await textsOf([written({ 'a/a.html': a, 'b/b.html': b, 'c/c.html': c })]),
    await textsOf(
      Object.keys(OWN)
        .map(name => join(written(OWN), name))
        .slice(0, 1),
    ),
    await textsOf([
      written({ 'a.html': '<p>Moved.</p>', 'b.html': '<p>Moved.</p>', 'c.html': '<p>Moved.</p>' }),
    ]),
  ];
  for (const texts of kept)
    for (const text of texts.filter(each => !each.startsWith('Text')))
      assert.match(text, /^(?:Tern guide[\s\S]*Made with care\.|Moved\.)$/);
});

test('count pages that are packed, and no files of another kind', async () => {
  const texts = await textsOf([
    written({
      'a.html': OWN['a.html'],
      'b.htm': OWN['b.html'],
      'c.html.gz': gzipSync(OWN['c.html']),
      'd.md': 'Tern guide\n\nMore.\n',
      'e.html': '',
    }),
  ]);
  assert.equal(texts.filter(text => text.includes('Tern guide')).length, 2);
  assert.equal(texts.length, 4);
});

test('are the same in any order of ingests', async () => {
  const names = Object.keys(OWN) as (keyof typeof OWN)[];
  const whole = await textsOf([written(OWN)]);
  const step = fc.record({ name: fc.constantFrom(...names), there: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 5 }), async steps => {
      const docs = written({ 'd.html': page('<p>Of its own.</p>') });
      const folder = newFolder();
      const ingest = async (): Promise<void> => {
        await using store = await openStore(folder);
        await store.ingest({ paths: [docs], sync: true });
      };
      await ingest();
      for (const { name, there } of steps) {
        if (there) written({ [name]: OWN[name] }, docs);
        else rmSync(join(docs, name), { force: true });
        await ingest();
      }
      written(OWN, docs);
      rmSync(join(docs, 'd.html'));
      await ingest();
      const { documents } = await (await Store.open(folder)).snapshot();
      assert.deepEqual(
        documents.map(({ text }) => text),
        whole,
      );
    }),
    { numRuns: 12 },
  );
});

test('are counted by ingest, and unchanged pages are not read again', async () => {
  const docs = written({ ...OWN, 'sub/d.html': '<p>One of its kind.</p>' });
  const store = newFolder();
  const first = await run(['ingest', docs, '--store', store]);
  assert.match(first.err, /left out 8 blocks that 2 pages repeat of the pages beside them/);
  const second = await run(['ingest', docs, '--store', store, '--json']);
  assert.doesNotMatch(second.err, /repeat/);
  assert.equal((JSON.parse(second.out) as { unchanged: number }).unchanged, 4);
});

test('a page that vanishes after its folder was listed is no page beside others', async () => {
  const names = Array.from({ length: 300 }, (_, at) => `p${at}.html`);
  const folder = written(Object.fromEntries(names.map(name => [name, '<p>own</p>'])));
  const pages = siblingPages(join(folder, 'p0.html'));
  let isOpen = true;
  pages
    .catch(() => {})
    .finally(() => {
      isOpen = false;
    });
  // One page a turn, the last first: most of them are listed and not looked at yet.
  for (const name of names.toReversed()) {
    if (!isOpen) break;
    rmSync(join(folder, name));
    await new Promise(resolve => setImmediate(resolve));
  }
  assert.ok((await pages).every(({ size }) => size === 10));
});
