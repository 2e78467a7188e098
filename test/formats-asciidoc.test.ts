/** Tests AsciiDoc, which a library reads: blocks and lines, and that it reads no other file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingPackage } from '../src/documents/whole-file.ts';
import { readPage, shownBlocks } from './format-blocks.ts';

const PAGE = `= Server options
Jane Roe <jane@example.org>
v1.0, 2024-01-02
:description: All options.
:limit: 1048576

// A comment
All of *them*, see xref:guide.adoc#x[the guide], \`x\` and
link:https://a.b[a page] on two lines.

[[limits]]
== Limits

* plain
continued
* bodyLimit:
** Default: {limit}
+
In bytes.

//-

. first
. second

//-

-a::
--all::
    Everything.
term:: Defined.
+
----
let a;

b(); // <1>
----

NOTE: Take care.

[WARNING]
====
Never do.
====

.Times
[cols="1,1",options="header"]
|===
|Name |Default

|wait
|5
|hold |6
|===

....
as it stands
....

 indented

////
hidden
////

image::map.png[A map of limits]

NOTE: In short.
footnote:[And long.]

Old style
~~~~~~~~~

See <<limits,the limits>> and image:a.png[].
`;

test('each construct is a block of its own, with its headings and its line', async () => {
  const document = await readPage('docs/a.adoc', PAGE);
  assert.equal(document.title, 'Server options');
  assert.deepEqual(document.metadata, {
    author: 'Jane Roe',
    description: 'All options.',
    published_at: '2024-01-02',
  });
  assert.deepEqual(document.outline![0]!.links, ['docs/guide.adoc#x', 'https://a.b']);
  assert.deepEqual(shownBlocks(document), [
    '8 prose [] All of them, see the guide, x and a page on two lines.',
    '12 heading [Limits] Limits',
    '14 list-item [Limits] - plain continued',
    '16 list-item [Limits] - bodyLimit:',
    '17 list-item [Limits > bodyLimit] - Default: 1048576',
    '19 prose [Limits > bodyLimit > Default: 1048576] In bytes.',
    '23 list-item [Limits] 1. first',
    '24 list-item [Limits] 2. second',
    '30 option [Limits] -a, --all: Everything.',
    '31 definition [Limits] term: Defined.',
    '34 code [Limits > term] let a;\nb(); // (1)',
    '39 prose [Limits] Note: Take care.',
    '43 prose [Limits] Warning: Never do.',
    '48 caption [Limits] Times',
    '51 table-row [Limits] Name: wait | Default: 5',
    '53 table-row [Limits] Name: hold | Default: 6',
    '57 code [Limits] as it stands',
    '60 code [Limits] indented',
    '66 caption [Limits] A map of limits',
    '68 prose [Limits] Note: In short. (And long.)',
    '71 heading [Limits > Old style] Old style',
    '74 prose [Limits > Old style] See the limits and .',
  ]);
});

test('a plain text with a title and blocks of its own is AsciiDoc', async () => {
  const text = 'git-add(1)\n==========\n\nNAME\n----\ngit-add - Adds.\n\n[verse]\ngit add\n';
  const document = await readPage('git/git-add.txt', text);
  assert.equal(document.title, 'git-add(1)');
  assert.deepEqual(document.outline!.at(-1)!.heading, ['NAME']);
});

test('lines count from the beginning of the file, below front matter too', async () => {
  const document = await readPage('a.adoc', '---\ntitle: A title here\n---\n== One\n\nWords.\n');
  assert.equal(document.title, 'A title here');
  assert.deepEqual(shownBlocks(document), ['4 heading [One] One', '6 prose [One] Words.']);
});

test('rows say their lines, with cells of blocks, of two lines and of comma-separated values', async () => {
  const rows = [
    '[cols="1,1a"]',
    '|===',
    '|a',
    '|',
    '* b',
    '',
    '|c |d',
    '|===',
    '',
    ',===',
    'e,f',
    ',===',
  ];
  const document = await readPage('a.adoc', `= A title here\n\n${rows.join('\n')}\n`);
  assert.deepEqual(shownBlocks(document), [
    '5 table-row [] a | b',
    '9 table-row [] c | d',
    '13 table-row [] e | f',
  ]);
});

test('includes, environment and other files are not read', async () => {
  const document = await readPage(
    'a.adoc',
    `= A title here\n:data-uri:\n:allow-uri-read:\n\nBefore {docdir}{user-home}.\n\ninclude::/etc/passwd[]\n\ninclude::https://tern.dev/a.adoc[]\n\nimage::/etc/passwd[]\n`,
  );
  assert.deepEqual(shownBlocks(document), [
    '5 prose [] Before ..',
    '7 prose [] /etc/passwd',
    '9 prose [] https://tern.dev/a.adoc',
  ]);
});

test('without the package a file is skipped with the command that installs it', () => {
  assert.deepEqual(missingPackage({ package: '@asciidoctor/core', as: 'AsciiDoc' }), {
    type: 'skipped',
    reason: 'AsciiDoc needs the package @asciidoctor/core: npm install @asciidoctor/core',
  });
});

const LINES: Readonly<Record<string, readonly [lines: string, expected: readonly string[]]>> = {
  'cells stand below each head that they cover': [
    `[%header,cols="1,1,1"]
|===
|Shop |May |June
.2+|East |3 |4
2+|closed
3+|Islands
2*|none |5
|===`,
    [
      'Shop: East | May: 3 | June: 4',
      'Shop: East | May: closed | June: closed',
      'Islands',
      'Shop: none | May: none | June: 5',
    ],
  ],
  'tables of separated values': [
    '[%header,format=csv]\n|===\nBoat,Crew\n"Ann, old",2\n|===\n\n[%header,format=dsv]\n|===\nBoat:Crew\nOle:3\n|===\n\n,===\na,b\n,===',
    ['Boat: Ann, old | Crew: 2', 'Boat: Ole | Crew: 3', 'a | b'],
  ],
  'notes, raised digits, and what images show': [
    'Oak.footnote:[From *Holm*.] Holds 10^6^ litres of H~2~O, see image:a.png[An oar].\n\nimage::b.png[A keel]',
    ['Oak. (From Holm.) Holds 10^6 litres of H2O, see An oar.', 'A keel'],
  ],
  'tasks and formulas': [
    '* [x] Row\n* [ ] Moor\n\nSo stem:[a_1 = 2] and latexmath:[\\frac{1}{2}].',
    ['- [x] Row', '- [ ] Moor', 'So a_1 = 2 and \\frac{1}{2}.'],
  ],
};

for (const [name, [lines, expected]] of Object.entries(LINES))
  test(name, async () => {
    const page = await readPage('a.adoc', `= Boats of Holm\n:stem:\n\n${lines}\n`);
    assert.deepEqual(page.text.split('\n\n'), expected);
  });

test('metadata are as they are typed', async () => {
  const page = await readPage(
    'a.adoc',
    '= Boats of Holm\nAnn E. Roe & Co. <ann@x.org> of Holm\n\nRow.\n',
  );
  assert.equal(page.metadata['author'], 'Ann E. Roe & Co. <ann@x.org> of Holm');
});
