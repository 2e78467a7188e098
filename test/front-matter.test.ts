/** Tests front matter: YAML and TOML, rules that begin a page, and what is malformed. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Metadata } from '../src/core/corpus/document.ts';
import { frontMatter } from '../src/documents/blocks/front-matter.ts';
import { readDocuments } from '../src/documents/index.ts';
import { readPage } from './format-blocks.ts';
import { freshFolder } from './running-command.ts';

const YAML: Readonly<Record<string, readonly [lines: string, expected: Metadata]>> = {
  'folded and literal blocks': [
    'about: >-\n  Where the ferry\n  lies up\nsteps: |-\n  Cast off\n  Row',
    { about: 'Where the ferry lies up', steps: 'Cast off\nRow' },
  ],
  'nested keys': [
    'boat:\n  crew:\n    mate: Ole\n  sails: 3',
    { 'boat.crew.mate': 'Ole', 'boat.sails': '3' },
  ],
  'lists of both forms': [
    'ports: ["Holm, east", Vell]\ncrew:\n  - Ole\n  - "Ann: cook"',
    { ports: ['Holm, east', 'Vell'], crew: ['Ole', 'Ann: cook'] },
  ],
  'lists of maps': [
    'by:\n  - name: Ole\n  - name: Ann',
    { 'by.0.name': 'Ole', 'by.1.name': 'Ann' },
  ],
  'booleans and null; quoted ones are texts': [
    "open: false\nwet: True\nmade: ~\nsaid: 'true'",
    { open: false, wet: true, said: 'true' },
  ],
  'numbers and days as they are written, without comments': [
    'version: 1.10 # tenth\nsince: 2021-03-04\ncode: 0x1F\nplace: "#4"',
    { version: '1.10', since: '2021-03-04', code: '0x1F', place: '#4' },
  ],
  'anchors and merged maps': [
    'base: &base {wind: 4}\nnow:\n  <<: *base\n  sea: calm',
    { 'base.wind': '4', 'now.wind': '4', 'now.sea': 'calm' },
  ],
  'names of every script and of properties': [
    'größe: 4\n標題: 船\nconstructor: x',
    { größe: '4', 標題: '船', constructor: 'x' },
  ],
};

describe('YAML', () => {
  for (const [name, [lines, expected]] of Object.entries(YAML))
    for (const [kind, form] of [
      ['', (text: string) => text],
      [
        ', lines of Windows behind a mark of the byte order',
        (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`,
      ],
    ] as const)
      test(`${name}${kind}`, async () => {
        const page = await readPage(
          'a.md',
          form(`---\ntitle: The old ferry\n${lines}\n---\n\nIt floats.\n`),
        );
        assert.equal(page.title, 'The old ferry');
        assert.deepEqual({ ...page.metadata }, expected);
        assert.equal(page.text, 'It floats.');
      });
});

test('TOML has tables, dates and lists', async () => {
  const page = await readPage(
    'a.md',
    `+++\ntitle = 'The old ferry'\nopen = true\nsails = 3\nsince = 2021-03-04\nseen = 2021-03-04T05:06:07Z
ports = ["Holm, east", 'Vell']\n[crew]\nmate = "Ole"\n+++\nIt floats.\n`,
  );
  assert.equal(page.title, 'The old ferry');
  assert.deepEqual(page.metadata, {
    open: true,
    sails: '3',
    since: '2021-03-04',
    seen: '2021-03-04T05:06:07Z',
    ports: ['Holm, east', 'Vell'],
    'crew.mate': 'Ole',
  });
});

describe('a rule that begins a page is none', () => {
  for (const [name, text, expected] of [
    [
      'before a blank line',
      '---\n\nFog: stay in port.\n\n---\n\nAll clear.\n',
      'Fog: stay in port. All clear.',
    ],
    ['above prose', '---\nStay in port.\n---\nAll clear.\n', 'Stay in port. All clear.'],
    [
      'above a sentence with a colon',
      '---\nBeware of this: fog.\n---\nAll clear.\n',
      'Beware of this: fog. All clear.',
    ],
    ['above a heading', '---\n# Fog in port\n---\nAll clear.\n', 'Fog in port All clear.'],
    ['without another', '---\nfog: thick\n\nAll clear.\n', 'fog: thick All clear.'],
  ] as const)
    test(name, async () => {
      const { title, text: shown, metadata } = await readPage('a.md', text);
      const all = `${title} ${shown}`.replace(/\s+/g, ' ');
      for (const word of expected.split(' ')) assert.ok(all.includes(word), word);
      assert.deepEqual(metadata, {});
    });
});

describe('malformed front matter is kept as text, and its reader says so', () => {
  const bomb = [
    'a: &a [x, x, x, x, x, x, x, x, x]',
    ...[...'bcdefgh'].map(
      (name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[at]}`).join(', ')}]`,
    ),
  ].join('\n');
  for (const [name, lines, why, fields] of [
    [
      'a colon inside a value',
      'title: Ferry: the old one\nsince: 2021-03-04',
      /Nested mappings/,
      { title: 'Ferry: the old one', since: '2021-03-04' },
    ],
    [
      'tabs before what is nested and after colons',
      'title:\tFerry\nowner:\n\tname: Ida',
      /Tabs are not allowed/,
      { title: 'Ferry' },
    ],
    [
      'an open list',
      'boats: [Holm, Vell\nsince: "2021-03-04"',
      /Flow sequence/,
      { since: '2021-03-04' },
    ],
    ['tabs', 'title: Old\ncrew:\n\tmate: Ole', /Tabs/, { title: 'Old' }],
    ['a key twice', 'title: Old\ntitle: New', /a key stands twice/, { title: 'New' }],
    ['aliases that multiply', bomb, /alias/, {}],
    ['lists nested without end', `a: ${'['.repeat(100_000)}`, /nested too deep/, {}],
    ['lines nested without end', `a:\n${'- '.repeat(100_000)}`, /nested too deep/, {}],
    [
      'more fields than metadata have',
      Array.from({ length: 10_001 }, (_, at) => `k${at}: v`).join('\n'),
      /more than 10000 fields/,
      undefined,
    ],
  ] as const)
    test(name, async () => {
      const { unread, rest, ...found } = await frontMatter(`---\n${lines}\n---\nIt floats.\n`);
      assert.match(unread!.note, why);
      assert.equal(unread!.text, lines);
      assert.equal(rest, 'It floats.\n');
      if (fields !== undefined) assert.deepEqual(found.fields, fields);
    });

  test('in a document and its notes', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'a.md'), '---\ntitle: Ferry: old\nseen: at Holm\n---\nIt floats.\n');
    for await (const found of readDocuments([folder])) {
      assert.ok('document' in found);
      assert.equal(found.document.title, 'Ferry: old');
      assert.equal(found.document.text, 'title: Ferry: old\nseen: at Holm\n\nIt floats.');
      assert.match(String(found.notes), /not valid YAML and is kept as text \(Nested mappings/);
    }
  });
});

test('no line of a page is lost, whatever stands between rules', async () => {
  const piece = fc.constantFrom(
    'a: b',
    '- c',
    '  d: e',
    '',
    '# f',
    'g h i',
    '[',
    '{',
    '"',
    '&a',
    '*a',
    '!!x',
    '|',
    '? k',
    ': v',
    '%',
    '\t',
    '---',
    '...',
    '+++',
    'k = 1',
    '[t]',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 12 }),
      fc.constantFrom('---', '+++'),
      async (lines, fence) => {
        const text = `${fence}\n${lines.join('\n')}\n${fence}\nIt floats.\n`;
        const { fields, rest, unread, lines: before } = await frontMatter(text);
        assert.ok(text.endsWith(rest));
        assert.equal(text.slice(0, text.length - rest.length).split('\n').length - 1, before);
        if (before > 0 && Object.keys(fields).length === 0 && unread === undefined)
          assert.match(
            text.slice(0, text.length - rest.length),
            /^(?:---|\+\+\+)[\s#a-z\][]*(?:---|\.\.\.|\+\+\+)\n$/,
          );
      },
    ),
    { numRuns: 1000 },
  );
});
