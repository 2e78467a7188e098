/**
 * Tests stores over texts of many scripts, and stores whose indexes another analysis of texts made.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ANALYSIS_VERSION } from '../src/core/text/search-form.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { openStore } from '../src/index.ts';
import { LexicalIndex } from '../src/search/indexes/lexical/lexical-index.ts';
import type { Manifest } from '../src/stores/disk/manifest.ts';
import { printManifest } from '../src/stores/disk/manifest-file.ts';
import { Store } from '../src/stores/disk/store.ts';
import { verifyStore } from '../src/stores/disk/verify-store.ts';
import { freshFolder } from './fresh-folder.ts';

const root = freshFolder();

const TEXTS = {
  ar: 'المكتبة مُغلقة يوم الجمعة.',
  de: 'Die Straße nach Zürich ist gesperrt.',
  hi: 'पुस्तकालय सोमवार को बंद रहता है।',
  ja: '中央図書館は月曜日に休館します。市場は日曜日に開きます。',
  km: 'បណ្ណាល័យបិទនៅថ្ងៃចន្ទ។',
  ko: '도서관은 월요일에 휴관합니다. 시장은 일요일에 엽니다.',
  my: 'စာကြည့်တိုက်သည် တနင်္လာနေ့တွင် ပိတ်သည်။',
  th: 'ห้องสมุดปิดวันจันทร์ ตลาดเปิดวันอาทิตย์',
  zh: '数据库使用PostgreSQL，备份每天凌晨两点执行。网站在夜间维护。',
};
const QUERIES: readonly (readonly [query: string, id: keyof typeof TEXTS])[] = [
  ['مغلقة', 'ar'],
  ['STRASSE', 'de'],
  ['Zu\u0308rich', 'de'],
  ['सोमवार', 'hi'],
  ['図書館', 'ja'],
  ['図書館は何曜日に休館しますか', 'ja'],
  ['បណ្ណាល័យ', 'km'],
  ['도서관', 'ko'],
  ['도서관'.normalize('NFD'), 'ko'],
  ['တနင်္လာ', 'my'],
  ['ตลาด', 'th'],
  ['备份', 'zh'],
  ['夜', 'zh'],
  ['postgresql', 'zh'],
];

async function written(name: string): Promise<string> {
  const folder = join(root, name);
  const store = await openStore(folder);
  const documents = Object.entries(TEXTS).map(([id, text]) => ({ id, title: '', text }));
  await store.ingest(documents);
  await store.close();
  return folder;
}

describe('a store over texts of many scripts', () => {
  test('finds a word first in the document that holds it', async () => {
    const store = await openStore(await written('scripts'));
    for (const [query, id] of QUERIES)
      assert.equal((await store.search(query))[0]?.documentId, id, query);
    await store.close();
  });

  test('shows evidence that stands in the document, by the default strategy', async () => {
    const store = await openStore(await written('asked'));
    for (const [question, id, part] of [
      ['图书馆的备份每天几点执行？', 'zh', '备份每天凌晨两点执行'],
      ['図書館は何曜日に休館しますか？', 'ja', '図書館は月曜日に休館します'],
      ['도서관은 언제 휴관합니까?', 'ko', '도서관은 월요일에 휴관합니다'],
      ['ห้องสมุดปิดวันไหน', 'th', 'ห้องสมุดปิดวันจันทร์'],
    ] as const) {
      const { evidence } = await store.ask(question);
      const shown = evidence
        .filter(({ documentId }) => documentId === id)
        .flatMap(({ spans }) => spans.map(([start, end]) => TEXTS[id].slice(start, end)));
      assert.ok(shown.join(' ').includes(part), `${question}: ${shown.join(' ')}`);
    }
    await store.close();
  });
});

/** A store as a release with another analysis wrote it. */
async function olderStore(name: string): Promise<string> {
  const folder = await written(name);
  const path = join(folder, 'store.json');
  const { checksum: _, analysis: __, ...rest } = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, printManifest(rest as Manifest));
  return folder;
}

describe('a store whose indexes another analysis made', () => {
  test('is searched by indexes of its documents, and the next write stores them', async () => {
    const folder = await olderStore('older');
    const store = await Store.open(folder);
    assert.deepEqual(
      store.manifest.segments.map(({ indexes }) => indexes),
      [undefined],
    );
    assert.equal((await verifyStore(folder)).ok, true);
    await store.put([{ id: 'new', title: '', text: '新しい図書館', metadata: {} }], freeCall());
    await store.close();
    const { analysis, segments } = JSON.parse(readFileSync(join(folder, 'store.json'), 'utf8'));
    assert.equal(analysis, ANALYSIS_VERSION);
    for (const { indexes } of segments) assert.ok(indexes.length > 0);
    const opened = await openStore(folder);
    for (const [query, id] of QUERIES)
      assert.ok(
        (await opened.search(query)).some(({ documentId }) => documentId === id),
        query,
      );
    await opened.close();
  });

  test('an index that travels without a store is refused by the name of its format', () => {
    const packed = LexicalIndex.build([], 'plain').pack();
    const older = { ...packed, header: { ...packed.header, format: 'multihop-lexical-2' } };
    assert.throws(() => LexicalIndex.unpack(older), { code: 'bad-index', received: /lexical-2$/ });
  });
});
