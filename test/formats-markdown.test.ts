/** Tests the blocks of Markdown: kinds, headings, lines, links, and titles. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headingAt } from '../src/core/corpus/outline.ts';
import { sentenceSpans } from '../src/core/text/sentences.ts';
import { titleOf } from '../src/documents/blocks/title.ts';
import { readPage, shownBlocks } from './format-blocks.ts';

const PAGE = `# The server

[![badge](b.svg)](https://ci)

- [Options](#options)
- [Code](#code)

Intro *text*
on two lines, see [Routes](./Routes.md#r) and [npm](https://npm).

## Options

Choose:

- \`bodyLimit\`: the limit.
  - Default: \`1048576\`

  It is in bytes.
- plain item

1. first
2. second

| Option | Default | |
|:--|--|--|
| **trust** | \`false\` | |
| wait | 5 \\| 6 | yes |

### Code

\`\`\`js
const a = 1;

// Do it. Then go.
b();
\`\`\`

> [!WARNING]
> Take care.

![A chart of loads](load.png)
`;

test('each construct is a block of its own, with its headings and its line', async () => {
  const document = await readPage('docs/Server.md', PAGE);
  assert.equal(document.title, 'The server');
  assert.deepEqual(shownBlocks(document), [
    '8 prose [] Intro text on two lines, see Routes and npm.',
    '11 heading [Options] Options',
    '13 prose [Options] Choose:',
    '15 definition [Options] - bodyLimit: the limit.',
    '16 list-item [Options > bodyLimit] - Default: 1048576',
    '18 prose [Options > bodyLimit] It is in bytes.',
    '19 list-item [Options] - plain item',
    '21 list-item [Options] 1. first',
    '22 list-item [Options] 2. second',
    '26 table-row [Options] Option: trust | Default: false',
    '27 table-row [Options] Option: wait | Default: 5 | 6 | yes',
    '29 heading [Options > Code] Code',
    '32 code [Options > Code] const a = 1;\n// Do it. Then go.\nb();',
    '38 prose [Options > Code] Warning: Take care.',
    '41 caption [Options > Code] A chart of loads',
  ]);
  assert.deepEqual(document.outline![0]!.links, ['https://ci', 'docs/Routes.md#r', 'https://npm']);
});

test('no sentence reaches over two blocks', async () => {
  const document = await readPage('docs/Server.md', PAGE);
  for (const [start, end] of sentenceSpans(document.text))
    for (const block of document.outline!.slice(1))
      assert.ok(end <= block.start || start >= block.start, document.text.slice(start, end));
  assert.deepEqual(headingAt(document, document.text.indexOf('1048576')), ['Options', 'bodyLimit']);
});

test('long code is cut at blank lines, and at line ends where there are none', async () => {
  const part = (name: string): string =>
    Array.from({ length: 12 }, (_, at) => `${name}(${at}, "${'x'.repeat(40)}");`).join('\n');
  const document = await readPage('a.md', `\`\`\`\n${part('f')}\n\n${part('g')}\n\`\`\`\n`);
  assert.deepEqual(
    document.outline!.map(({ line, kind }) => [line, kind]),
    [
      [2, 'code'],
      [15, 'code'],
    ],
  );
  const dense = await readPage(
    'a.md',
    `\`\`\`\n${part('f')}\n${part('g')}\n${part('h')}\n\`\`\`\n`,
  );
  assert.equal(dense.outline!.length, 2);
  for (const { start } of dense.outline!) assert.match(dense.text.slice(start), /^[fgh]\(/);
});

test('several headings of one level are all kept, the first among them', async () => {
  const document = await readPage('a.md', '# First steps\n\nOne.\n\n# Next steps\n\nTwo.\n');
  assert.equal(document.title, 'First steps');
  assert.deepEqual(shownBlocks(document), [
    '1 heading [First steps] First steps',
    '3 prose [First steps] One.',
    '5 heading [Next steps] Next steps',
    '7 prose [Next steps] Two.',
  ]);
});

test('front matter keeps lines right, and TOML is read too', async () => {
  const yaml = await readPage('a.md', '---\ntitle: Server options\ntags: [a]\n---\n\nText.\n');
  assert.deepEqual(
    [yaml.title, yaml.metadata, yaml.outline![0]!.line],
    ['Server options', { tags: ['a'] }, 6],
  );
  const toml = await readPage('a.md', '+++\ntitle = "Server options"\nweight = 3\n+++\nText.\n');
  assert.deepEqual(
    [toml.title, toml.metadata, toml.outline![0]!.line],
    ['Server options', { weight: '3' }, 5],
  );
});

test('links lead to documents of the same folder or to an address, never out of the folder', async () => {
  const links = async (target: string): Promise<readonly string[] | undefined> =>
    (await readPage('docs/a/b.md', `See [x](${target}).`)).outline![0]!.links;
  assert.deepEqual(await links('../c.md'), ['docs/c.md']);
  assert.deepEqual(await links('d%20e.md#f'), ['docs/a/d e.md#f']);
  assert.deepEqual(await links('https://a.b/c.md'), ['https://a.b/c.md']);
  assert.deepEqual(await links('/../root.md'), ['/root.md']);
  for (const target of [
    '../../../etc/passwd',
    '#here',
    'javascript:x',
    'mailto:a@b.c',
    '..',
    '%ff',
  ])
    assert.ok(
      !(await links(target))?.some(link => link.startsWith('.') || link.includes(':')),
      target,
    );
});

const TITLES: readonly (readonly [
  id: string,
  candidates: readonly (string | undefined)[],
  title: string,
])[] = [
  ['a/Server.md', ['The server'], 'The server'],
  ['fastify/docs/Reference/Server.md', ['Factory'], 'Factory (Reference/Server)'],
  ['fastify/docs/Reference/Factory.md', ['Factory'], 'Factory (fastify/Reference)'],
  ['lodash/README.md', ['lodash'], 'lodash'],
  ['fastify/README.md', [], 'fastify'],
  ['django/docs/releases/1.3.md', ['1.3'], 'django/releases'],
  ['settings/general.md', ['general', 'General settings'], 'General settings'],
  ['notes/b.md', ['Bells'], 'Bells (notes)'],
  ['b.md', ['Bells'], 'Bells'],
  ['getting-started.md', [], 'getting-started'],
  ['a.md', ['README'], 'a'],
  ['docs/index.md', ['設定手順書'], '設定手順書'],
  ['x.md', [undefined, '', '  Two\n words '], 'Two words'],
];
for (const [id, candidates, title] of TITLES)
  test(`the title of ${id} with ${JSON.stringify(candidates)}`, () =>
    assert.equal(titleOf(id, candidates, ['md']), title));

test('quotes and lists nested beyond any reading keep their text, and end', async () => {
  const shrinking = Array.from({ length: 60 }, (_, at) => `${'> '.repeat(60 - at)}word${at}\n`);
  for (const text of [
    shrinking.join(''),
    `${'> '.repeat(4000)}word0\n${'lazy\n'.repeat(2000)}`,
    `${'- '.repeat(4000)}word0\n${'lazy\n'.repeat(2000)}`,
    `- > ${'> '.repeat(3000)}word0\n  lazy\n`,
  ]) {
    const page = await readPage('a.md', text);
    for (const word of text.match(/[a-z]+\d*/g)!) assert.ok(page.text.includes(word), word);
  }
});

test('a quote goes on in lines that continue its paragraph, and in no others', async () => {
  const { text } = await readPage(
    'a.md',
    '> One\ntwo\n> - three\nfour\n# Five\n> ```\n> six\n> ```\nseven\n\n>\teight\n===\n',
  );
  assert.equal(text, 'One two\n\n- three four\n\nFive\n\nsix\n\nseven\n\neight ===');
});

test('an item keeps its first line before others that are not indented', async () => {
  const { text } = await readPage('a.md', 'start\n\n- item\n\n    deep\nterm\n');
  assert.equal(text, 'start\n\n- item\n\ndeep term');
});

const LINES: Readonly<Record<string, readonly [text: string, expected: readonly string[]]>> = {
  'raised digits are powers, and marks of notes no digits': [
    'Holds 10<sup>6</sup> litres of H<sub>2</sub>O, at most 25<sup>[1](#n)</sup> MB.',
    ['Holds 10^6 litres of H2O, at most 25[1] MB.'],
  ],
  'footnotes stay, of one word and of several blocks': [
    'Oak[^a] and elm.[^b]\n\n[^a]: Holm\n[^b]: Felled\n    in May.\n\n    - by Ann\n\nAfter.',
    ['Oak[^a] and elm.[^b]', '[^a]: Holm', '[^b]: Felled in May.', '- by Ann', 'After.'],
  ],
  'images of HTML say what they show': [
    'See <img src="a.png" alt="the &quot;oar&quot; of ash"> here.',
    ['See the "oar" of ash here.'],
  ],
  'entities are characters': [
    'Rope &amp; tar &copy; &#65;&#x42; &eacute;t&eacute;',
    ['Rope & tar © AB été'],
  ],
  'tasks keep their boxes': [
    '- [x] Cast off\n  1. [ ] Row\n\n* [X] Moor',
    ['- [x] Cast off', '1. [ ] Row', '- [X] Moor'],
  ],
  'details, and elements of other languages, keep their text': [
    '<details><summary>More</summary>\n\nInside *it*.\n\n</details>\n\n<Tabs><Tab>Sail</Tab></Tabs>',
    ['More', 'Inside it.', 'Sail'],
  ],
  'a list of links in HTML is no menu': [
    '<ul><li><a href="a.md">Oars</a></li><li><a href="b.md">Sails</a></li><li><a href="c.md">Tar</a></li></ul>',
    ['- Oars', '- Sails', '- Tar'],
  ],
};

for (const [name, [text, expected]] of Object.entries(LINES))
  test(name, async () => {
    const page = await readPage('a.md', `# Boats of Holm\n\n${text}\n`);
    assert.deepEqual(page.text.split('\n\n'), expected);
  });

const TABLES: readonly [name: string, page: string, expected: readonly string[]][] = [
  [
    'a blank line inside a table of HTML leaves the rows below it under their heads',
    '<table>\n<tr><th>Port</th><th>Berths</th></tr>\n<tr><td>Brae</td><td>4</td></tr>\n\n<tr><td>Holm</td><td>9</td></tr>\n</table>\n\nAfter.\n',
    ['Port: Brae | Berths: 4', 'Port: Holm | Berths: 9', 'After.'],
  ],
  [
    'rows indented below a blank line are rows, and their cells may hold Markdown',
    '<table>\n  <thead>\n\n    <tr><th>Port</th><th>Note</th></tr>\n\n  </thead>\n    <tr>\n    <td>Brae</td><td>\n\nOpen *all* `year`\n\n</td></tr>\n</table>\n',
    ['Port: Brae | Note: Open all year'],
  ],
  [
    'a table within a line is read as a table',
    'Berths: <table><tr><th>Port</th><th>Size</th></tr><tr><td>Brae</td><td>4</td></tr></table> as of May.\n',
    ['Berths:', 'Port: Brae | Size: 4', 'as of May.'],
  ],
  [
    'a list with blank lines between its items keeps their numbers',
    '<ol>\n<li>cast off</li>\n\n<li>row</li>\n</ol>\n',
    ['1. cast off', '2. row'],
  ],
  [
    'a table that does not end takes nothing with it',
    '<table><tr><td>Brae</td></tr>\n\nProse *below* it.\n',
    ['Brae', 'Prose below it.'],
  ],
  [
    'blocks inside a cell or a line are no parts of the word before them',
    '| Key | Values |\n|---|---|\n| mode | <ul><li>fast</li><li>slow</li></ul> |\n\nOne <div>two</div>three.\n',
    ['Key: mode | Values: fast slow', 'One two\nthree.'],
  ],
  [
    'cells beyond the last column of a table stay in their row',
    '| Port | Size |\n|---|---|\n| Brae | 4 | see *note* | [map](https://map.example) |\n| Holm |\n| a \\| b | 5 |\n',
    ['Port: Brae | Size: 4 | see note | map', 'Port: Holm', 'Port: a | b | Size: 5'],
  ],
  [
    'so they do in quotes and items',
    '> | Port | Size |\n> |---|:-:|\n> | Brae | 4 | quoted |\n\n- item\n\n  Port | Size\n  --|--\n  Holm | 5 | listed\n',
    ['Port: Brae | Size: 4 | quoted', '- item', 'Port: Holm | Size: 5 | listed'],
  ],
  [
    'a line of hyphens makes no table of the items around it',
    '- one\n  - two\n  ---\n- three | four\n',
    ['- one', '- two', '- three | four'],
  ],
];

for (const [name, page, expected] of TABLES)
  test(name, async () => {
    const { text } = await readPage('tables.md', page);
    assert.deepEqual(text.split('\n\n'), expected);
  });
