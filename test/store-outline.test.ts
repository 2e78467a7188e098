/** Tests that stores keep outlines, and treat documents without one as. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Document } from '../src/core/corpus/document.ts';
import { openStore } from '../src/index.ts';
import { sameDocument } from '../src/search/corpus/plan-put.ts';
import { fingerprint } from '../src/search/derived/derived-index.ts';
import { corpusDigest, documentLine, parseSegment } from '../src/stores/disk/segment.ts';
import { freshFolder } from './fresh-folder.ts';

const folder = freshFolder();

const plain: Document = { id: 'a', title: 'A', text: 'One.\n\nTwo.', metadata: { n: 1 } };
const outline: Document['outline'] = [
  { start: 0, heading: [], line: 3 },
  { start: 6, heading: ['Options'], kind: 'list-item', line: 7, links: ['b.md#x'] },
];
const outlined: Document = { ...plain, outline };

test('a document without an outline is written, hashed and compared as it always was', () => {
  assert.equal(
    documentLine(plain),
    '{"id":"a","title":"A","text":"One.\\n\\nTwo.","metadata":{"n":1}}',
  );
  assert.equal(fingerprint(plain), '852b8f2b257d3d3f');
  assert.equal(
    corpusDigest([plain], 'sentences'),
    '8521cab922819ff2d9e6725b7ebe5ed71cecd71c87131e1397d0ca6f91de1567',
  );
});

test('an outline is part of the content', () => {
  const moved: Document = { ...plain, outline: [outline[0]!, { ...outline[1]!, line: 8 }] };
  for (const other of [plain, moved]) {
    assert.equal(sameDocument(outlined, other), false);
    assert.notEqual(fingerprint(outlined), fingerprint(other));
    assert.notEqual(corpusDigest([outlined], 'sentences'), corpusDigest([other], 'sentences'));
  }
  assert.equal(sameDocument(outlined, structuredClone(outlined)), true);
});

test('an outline survives writing and reading', () => {
  const bytes = Buffer.from(`${documentLine(outlined)}\n${documentLine(plain)}\n`);
  assert.deepEqual(parseSegment('f', bytes), [outlined, plain]);
});

test('a stored outline that is wrong is damage, and says where', () => {
  for (const wrong of [
    '5',
    '{}',
    '{"headings":[],"blocks":[0,0,0,0,0]}',
    '{"headings":[[]],"blocks":[1,0,0,0,0]}',
  ])
    assert.throws(
      () =>
        parseSegment(
          'f',
          Buffer.from(`{"id":"a","title":"","text":"b","metadata":{},"outline":${wrong}}\n`),
        ),
      /line 1 is not a document/,
    );
});

test('a store returns outlines of files and of given documents, and sees unchanged ones', async () => {
  const page = join(folder, 'server.md');
  writeFileSync(
    page,
    '# The server options\n\nAll of them.\n\n## bodyLimit\n\n- Default: `1048576`\n',
  );
  const store = join(folder, 'kept.store');
  {
    await using opened = await openStore(store);
    await opened.ingest({ paths: [page] });
    await opened.ingest([{ ...outlined }]);
  }
  await using opened = await openStore(store);
  assert.deepEqual(await opened.document('a'), outlined);
  assert.deepEqual((await opened.document('server.md'))?.outline, [
    { start: 0, heading: [], line: 3 },
    { start: 14, heading: ['bodyLimit'], kind: 'heading', line: 5 },
    { start: 25, heading: ['bodyLimit'], kind: 'list-item', line: 7 },
  ]);
  const again = await opened.ingest({ paths: [page] });
  assert.deepEqual([again.unchanged, again.changed], [1, 0]);
  writeFileSync(page, `\n${readFileSync(page, 'utf8')}`);
  const moved = await opened.ingest({ paths: [page] });
  assert.deepEqual([moved.unchanged, moved.changed], [0, 1], 'lines are part of the content');
  assert.ok(readdirSync(store).some(name => name.startsWith('documents-')));
});

test('a given outline that is wrong is refused; a text of that name is metadata', async () => {
  await using opened = await openStore(join(folder, 'given.store'));
  await assert.rejects(
    async () => await opened.ingest([{ text: 'One.', outline: [{ start: 3, heading: [] }] }]),
    /The outline of document 1.*the first at 0/s,
  );
  await opened.ingest([{ id: 'm', text: 'One.', outline: 'a sketch' as never }]);
  const { metadata, outline: none } = (await opened.document('m'))!;
  assert.deepEqual([metadata['outline'], none], ['a sketch', undefined]);
});
