/** Tests the blocks of AsciiDoc. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
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

include::other.adoc[]

Old style
~~~~~~~~~

See linkgit:git-add[1] and <<limits,the limits>>.
`;

test('each construct is a block of its own, with its headings and its line', async () => {
  const document = await readPage('docs/a.adoc', PAGE);
  assert.equal(document.title, 'Server options');
  assert.deepEqual(document.metadata, {
    description: 'All options.',
    author: 'Jane Roe <jane@example.org>',
  });
  assert.deepEqual(document.outline![0]!.links, ['docs/guide.adoc#x', 'https://a.b']);
  assert.deepEqual(shownBlocks(document), [
    '8 prose [] All of them, see the guide, x and a page on two lines.',
    '12 heading [Limits] Limits',
    '14 list-item [Limits] - plain continued',
    '16 list-item [Limits] - bodyLimit:',
    '17 list-item [Limits > bodyLimit] - Default: 1048576',
    '19 prose [Limits > bodyLimit > Default: 1048576] In bytes.',
    '23 list-item [Limits] - first',
    '24 list-item [Limits] - second',
    '28 option [Limits] -a, --all: Everything.',
    '31 definition [Limits] term: Defined.',
    '34 code [Limits > term] let a;\nb(); //',
    '39 prose [Limits] Note: Take care.',
    '43 prose [Limits] Warning: Never do.',
    '46 caption [Limits] Times',
    '51 table-row [Limits] Name: wait | Default: 5',
    '53 table-row [Limits] Name: hold | Default: 6',
    '57 code [Limits] as it stands',
    '60 code [Limits] indented',
    '68 heading [Limits > Old style] Old style',
    '71 prose [Limits > Old style] See git-add(1) and the limits.',
  ]);
});

test('a plain text with a title and blocks of its own is AsciiDoc', async () => {
  const text = 'git-add(1)\n==========\n\nNAME\n----\ngit-add - Adds. See linkgit:git-rm[1].\n';
  const document = await readPage('git/git-add.txt', text);
  assert.equal(document.title, 'git-add(1)');
  assert.deepEqual(document.outline!.at(-1)!.heading, ['NAME']);
});
