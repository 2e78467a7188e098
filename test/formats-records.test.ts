/** Tests the documents that records, HTML pages and Markdown files become. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Document } from '../src/core/corpus/document.ts';
import { documentFromRecord, isoTime } from '../src/documents/records/record.ts';
import { readPage } from './format-blocks.ts';

function document(record: Record<string, unknown>, path?: string): Document {
  const loaded = documentFromRecord(record, path);
  assert.ok('document' in loaded);
  return loaded.document;
}

test('a record: id, title and text come from their fields, metadata from the others', () => {
  assert.deepEqual(
    document({
      url: 'https://a.b/c',
      title: 'T',
      body: 'Words.',
      author: null,
      source: 'Paper',
      published_at: '2023-10-07T20:15:26+00:00',
      category: '',
      views: 3,
      open: true,
      tags: ['a', null, 2],
      empty: [],
      place: { city: 'Graz', at: { x: 1.5 } },
      people: [{ name: 'A' }, { name: 'B' }],
      huge: Number.POSITIVE_INFINITY,
    }),
    {
      id: 'https://a.b/c',
      title: 'T',
      text: 'Words.',
      metadata: {
        url: 'https://a.b/c',
        source: 'Paper',
        published_at: '2023-10-07T20:15:26+00:00',
        category: '',
        views: 3,
        open: true,
        tags: ['a', '2'],
        'place.city': 'Graz',
        'place.at.x': 1.5,
        'people.0.name': 'A',
        'people.1.name': 'B',
        huge: 'Infinity',
      },
    },
  );
});

test('a record: the names of fields for id and text', () => {
  assert.equal(document({ id: 7, _id: 'x', text: 'a' }).id, '7');
  assert.deepEqual(document({ id: '', _id: 'x', text: 'a' }).metadata, { id: '' });
  assert.equal(document({ doc_id: 0, title: null, text: 'a' }).id, '0');
  assert.equal(document({ text: 'a' }, 'folder/a.json').id, 'folder/a.json');
  for (const field of ['text', 'body', 'content', 'contents', 'page_content', 'passage'])
    assert.equal(document({ [field]: 'Words' }).text, 'Words');
  assert.deepEqual(document({ text: 'a', body: 'b' }).metadata, { body: 'b' });
  assert.deepEqual(
    document({ page_content: 'a', metadata: { source: 's', page: 2 }, source: 'own' }).metadata,
    { source: 'own', page: 2 },
  );
});

test('a content-derived id is the same on every machine', () => {
  // The id is sha256 of "T", a NUL byte, "a"; printf 'T\0a' | sha256sum
  const digest = createHash('sha256').update('T\0a').digest('hex').slice(0, 16);
  assert.equal(document({ title: 'T', text: 'a' }).id, digest);
  assert.equal(document({ text: 'a', title: 'T', source: 'other' }).id, digest);
  assert.notEqual(document({ title: 'Ta', text: '' }).id, digest);
});

test('dates: one format, and another field if published_at is missing', () => {
  assert.equal(isoTime('2023-10-07 20:15:26.000000000Z'), '2023-10-07T20:15:26+00:00');
  assert.equal(isoTime('2023-10-07 20:15:26.250Z'), '2023-10-07T20:15:26.25+00:00');
  for (const kept of ['2023-10-07T20:15:26+02:00', '2023-10-07', 'yesterday', ''])
    assert.equal(isoTime(kept), kept);
  assert.deepEqual(document({ text: 'a', date: '2023-10-07' }).metadata, {
    published_at: '2023-10-07',
  });
  assert.deepEqual(
    document({ text: 'a', date: 'soon', created: '2023-10-07 20:15:26.000000000Z' }).metadata,
    { date: 'soon', published_at: '2023-10-07T20:15:26+00:00' },
  );
  assert.deepEqual(
    document({ text: 'a', date: '2020-01-01', published_at: '2023-10-07' }).metadata,
    { date: '2020-01-01', published_at: '2023-10-07' },
  );
});

test('a Document in JSON reads back equal', () => {
  const stated: Document = {
    id: 'd',
    title: 'T',
    text: 'Words',
    metadata: { source: 's', published_at: '2023-10-07', tags: ['a', 'b'], n: 1, open: false },
  };
  assert.deepEqual(document(JSON.parse(JSON.stringify(stated))), stated);
});

test('plain text has the name of its file as title, and its paragraphs as blocks', async () => {
  assert.deepEqual(await readPage('notes/first walk.v2.txt', '\n One.\r\nTwo.\n\n\nThree.'), {
    id: 'notes/first walk.v2.txt',
    title: 'first walk.v2',
    text: '\n One.\nTwo.\n\n\nThree.',
    metadata: {},
    outline: [
      { start: 0, heading: [], line: 2 },
      { start: 14, heading: [], line: 6 },
    ],
  });
});

test('plain text: a line above a rule of its length is a heading, and nothing else', async () => {
  const text =
    'Notes of May\n============\n\nOne.\n\nFirst\n-----\n\nTwo.\n\nThree\n---\n\n1. Four\n';
  const { title, outline, text: kept } = await readPage('a.txt', text);
  assert.equal(title, 'Notes of May');
  assert.equal(kept, text);
  assert.deepEqual(
    outline?.map(({ line, kind = 'prose', heading }) => `${line} ${kind} ${heading.join(' > ')}`),
    [
      '1 heading Notes of May',
      '4 prose Notes of May',
      '6 heading Notes of May > First',
      '9 prose Notes of May > First',
      '11 prose Notes of May > First',
      '14 prose Notes of May > First',
    ],
  );
});

test('HTML: reads head, main part, blocks and lists', async () => {
  const page = `<!doctype html><html><head><title> A &lt;title&gt;
    here </title><meta name="author" content="Jane Roe"><meta property="article:published_time" content="2023-10-07T20:15:26+00:00">
    <meta property="og:site_name" content="Daily"><link rel="canonical" href="https://a.b/c"><style>p{}</style></head>
    <body><header>Site</header><nav><a>Home</a></nav><p>Outside</p><main><header><h1>Head&shy;line</h1></header>
    <p>One   <b>bold</b>,
    two.<br>Three&nbsp;four &#8212; five.</p><script>bad()</script><ul><li>first<li>second</ul><table><tr><th>a</th><td>b</td></tr></table>
    <pre>x  =
  1</pre><aside>More</aside><div hidden>no</div><form><button>Go</button></form></main><footer>(c)</footer></body></html>`;
  const { outline: _, ...content } = await readPage('page.html', page);
  assert.deepEqual(content, {
    id: 'page.html',
    title: 'A <title> here',
    text: 'Head\u00adline\n\nOne bold, two.\nThree four — five.\n\n- first\n\n- second\n\na: b\n\nx  =\n  1\n\nMore',
    metadata: {
      author: 'Jane Roe',
      published_at: '2023-10-07T20:15:26+00:00',
      source: 'Daily',
      url: 'https://a.b/c',
    },
  });
});

test('Markdown: reads front matter, the first heading, and text without marks', async () => {
  const text = `---\nauthor: "Jane Roe"\ndate: 2023-10-07\ntags: [a, 'b']\nnone:\nkinds:\n  - x\n  - y\n---\n# The *first* walk\n\nSome **bold**, \`code\` and a [link](http://a.b).\nGoes &amp; on.\n\n- one\n- two\n  1. deep\n\n> Quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<div>In <i>html</i></div>\n\n## Next\n\n![alt](x.png)\n`;
  const { outline, ...content } = await readPage('a.md', text);
  assert.deepEqual(content, {
    id: 'a.md',
    title: 'The first walk',
    text: 'Some bold, code and a link. Goes & on.\n\n- one\n\n- two\n\n1. deep\n\nQuoted\n\na: 1 | b: 2\n\nIn html\n\nNext\n\nalt',
    metadata: {
      author: 'Jane Roe',
      published_at: '2023-10-07',
      tags: ['a', 'b'],
      kinds: ['x', 'y'],
    },
  });
  assert.deepEqual(
    outline?.map(({ kind = 'prose', line, heading }) => [line, kind, heading.join(' > ')]),
    [
      [12, 'prose', ''],
      [15, 'list-item', ''],
      [16, 'list-item', ''],
      [17, 'list-item', 'two'],
      [19, 'prose', ''],
      [23, 'table-row', ''],
      [25, 'prose', ''],
      [27, 'heading', 'Next'],
      [29, 'caption', 'Next'],
    ],
  );
});
