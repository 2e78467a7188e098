/** Tests the blocks of reStructuredText. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_LIMITS, memorySource } from '../src/documents/files/source.ts';
import { rst } from '../src/documents/formats/rst/rst.ts';
import { readPage, shownBlocks } from './format-blocks.ts';

const PAGE = `:author: Jane Roe
:orphan:

==============
Server options
==============

.. _target:
.. contents::

All of **them**, see :doc:\`/other\` and :doc:\`the guide <guide>\`, \`\`x\`\` of
:class:\`~a.b.Server\` [1]_ on two lines::

    let a;

    b();

Limits
======

- plain, on
  two lines
- bodyLimit

  - Default: 5

  In bytes.

1. first
#. second

term : classifier
    Defined.

    More.

-a, --all  Everything.
--wait=<s>
    Seconds.

:param x: A number.

.. note:: Take
   care.

.. versionadded:: 1.2
    The limit.

.. setting:: LIMIT

.. method:: get(key, \\*rest)
            get_all()
   :async:

   Returns it.

   Always.

.. code-block:: js
   :caption: none

   const c = 1;

===== =======
Name  Default
===== =======
wait  5
      s
hold  6
===== =======

+------+---------+
| Name | Default |
+======+=========+
| wait | 5       |
+------+---------+

.. list-table:: Times
   :header-rows: 1

   * - Name
     - Default
   * - wait
     - 5

.. figure:: a.png

   A chart.

>>> 1 + 1
2

.. A comment
   of two lines

.. [1] A footnote.

----

    Quoted.
`;

test('each construct is a block of its own, with its headings and its line', async () => {
  const document = await readPage('docs/a.rst', PAGE);
  assert.equal(document.title, 'Server options');
  assert.deepEqual(document.metadata, { author: 'Jane Roe' });
  assert.deepEqual(document.outline![0]!.links, ['/other.rst', 'docs/guide.rst']);
  assert.deepEqual(shownBlocks(document), [
    '11 prose [] All of them, see /other and the guide, x of Server on two lines:',
    '14 code [] let a;\nb();',
    '18 heading [Limits] Limits',
    '21 list-item [Limits] - plain, on two lines',
    '23 list-item [Limits] - bodyLimit',
    '25 list-item [Limits > bodyLimit] - Default: 5',
    '27 prose [Limits > bodyLimit] In bytes.',
    '29 list-item [Limits] 1. first',
    '30 list-item [Limits] #. second',
    '33 definition [Limits] term : classifier: Defined.',
    '35 prose [Limits > term : classifier] More.',
    '37 option [Limits] -a, --all: Everything.',
    '39 option [Limits] --wait=<s>: Seconds.',
    '41 definition [Limits] param x: A number.',
    '43 prose [Limits] Note: Take care.',
    '47 prose [Limits] New in version 1.2: The limit.',
    '49 definition [Limits] LIMIT',
    '55 definition [Limits] get(key, *rest), get_all(): Returns it.',
    '57 prose [Limits > get(key, *rest), get_all()] Always.',
    '59 caption [Limits] none',
    '62 code [Limits] const c = 1;',
    '67 table-row [Limits] Name: wait | Default: 5 s',
    '69 table-row [Limits] Name: hold | Default: 6',
    '75 table-row [Limits] Name: wait | Default: 5',
    '78 caption [Limits] Times',
    '83 table-row [Limits] Name: wait | Default: 5',
    '88 caption [Limits] A chart.',
    '90 code [Limits] >>> 1 + 1\n2',
    '96 prose [Limits] A footnote.',
    '100 prose [Limits] Quoted.',
  ]);
});

test('a plain text with an underlined title and markup of its own is reStructuredText', async () => {
  const text = 'Server\n======\n\nSee :ref:`limits`.\n\nLimits\n------\n\nFive.\n';
  const django = await readPage('django/docs/server.txt', text);
  assert.equal(django.title, 'Server (django)');
  assert.deepEqual(django.outline!.at(-1)!.heading, ['Limits']);
  const plain = await readPage('a.txt', 'Server\n======\n\nNo markup.\n');
  assert.equal(plain.text, 'Server\n======\n\nNo markup.\n');
});

test('blocks nested beyond 30 levels are code', async () => {
  const lines = Array.from({ length: 60 }, (_, depth) => `${'  '.repeat(depth)}- x${depth}`);
  const document = await readPage('a.rst', lines.join('\n\n'));
  assert.ok(document.outline!.some(({ kind }) => kind === 'code'));
  assert.match(document.text, /x59/);
});

test('Fields of a description say its type and its default; others direct the build', async () => {
  const page = await readPage(
    'conf.rst',
    `Settings
========

.. confval:: timeout
   :type: \`\`int\`\`
   :default: \`\`30\`\`
   :noindex:

   How long to wait.

.. confval:: retries
   :default: 5

.. py:function:: stop()
   :module: a.b

After.
`,
  );
  assert.deepEqual(shownBlocks(page), [
    '9 definition [] timeout: type: int; default: 30. How long to wait.',
    '11 definition [] retries: default: 5.',
    '14 definition [] stop()',
    '17 prose [] After.',
  ]);
});

test('cells of tables stand below each head that they cover', async () => {
  const page = await readPage(
    'a.rst',
    `Ports
=====

+--------+-----------------+
| Port   | Depth           |
|        +--------+--------+
|        | Ebb    | Flood  |
+========+========+========+
| Holm   | 3      | 5 m    |
+--------+--------+ at     |
| Vell   | 4      | spring |
+--------+--------+--------+
| Arl    | - not measured  |
+--------+-----------------+

====  =====  =====
Sea       Boats
----  ------------
Bay   Long   Short
====  =====  =====
East  none left
----  ------------
West  4      5
====  =====  =====

+------+------+
| 港   | 深さ |
+======+======+
| 東京 | 五   |
+------+------+
`,
  );
  assert.deepEqual(page.text.split('\n\n'), [
    'Port: Holm | Depth Ebb: 3 | Depth Flood: 5 m at spring',
    'Port: Vell | Depth Ebb: 4 | Depth Flood: 5 m at spring',
    'Port: Arl | Depth Ebb: - not measured | Depth Flood: - not measured',
    'Sea Bay: East | Boats Long: none left | Boats Short: none left',
    'Sea Bay: West | Boats Long: 4 | Boats Short: 5',
    '港: 東京 | 深さ: 五',
  ]);
});

test('lists inside a cell are no cells; heads are the rows that a table says', async () => {
  const page = await readPage(
    'a.rst',
    `Ports
=====

.. list-table::
   :header-rows: 1

   * - Port
     - Goods
   * - Holm
     - * rope
       * tar

.. list-table::

   * - Vell
     - none
   * - Arl
     - wool
`,
  );
  assert.deepEqual(page.text.split('\n\n'), [
    'Port: Holm | Goods: * rope * tar',
    'Vell | none',
    'Arl | wool',
  ]);
});

const CONSTRUCTS: Readonly<Record<string, readonly [lines: string, expected: readonly string[]]>> =
  {
    'what a program documents is named, with a description or without': [
      `.. autofunction:: boats.row

   It needs oars.

   >>> row()

.. py:autoclass:: boats.Ferry
   :members:

.. autosummary::
   :toctree: made

   boats.sail
   ~boats.moor`,
      ['boats.row: It needs oars.', '>>> row()', 'boats.Ferry', '- boats.sail', '- boats.moor'],
    ],
    'notes keep all of their blocks, citations their names': [
      `Oak [1]_ and elm [#e]_ of [ROE]_.

.. [1]
   From Holm.

   Felled in May.
.. [#e] From Vell.
.. [ROE] Roe, Woods of
   the isles.`,
      [
        'Oak and elm of [ROE].',
        'From Holm.',
        'Felled in May.',
        'From Vell.',
        '[ROE] Roe, Woods of the isles.',
      ],
    ],
    'HTML is read, other raw markup is not': [
      `.. raw:: html

   <p>Tides <b>rise</b>.</p>

.. raw:: latex

   \\hidden`,
      ['Tides rise.'],
    ],
    'formulas stand on the line of their directive or below': [
      '.. math:: a = b\n   :label: ab\n\n.. math::\n\n   c = d',
      ['a = b', 'c = d'],
    ],
    'images say what they show, and code, tables and tabs their captions': [
      `.. image:: oar.png
   :alt: An oar of
     two blades

.. figure:: keel.png
   :alt: A keel

   Seen from below.

.. code-block:: python
   :caption: row.py

   row()

.. table:: Oars

   ==== ====
   wood cost
   ==== ====
   ash  4
   ==== ====

.. tab:: Linux

   Sail.`,
      [
        'An oar of two blades',
        'A keel',
        'Seen from below.',
        'row.py',
        'row()',
        'Oars',
        'wood: ash | cost: 4',
        'Linux',
        'Sail.',
      ],
    ],
    'raised digits are powers': [
      'Holds 10\\ :sup:`6` litres of H\\ :sub:`2`\\ O.',
      ['Holds 10^6 litres of H2O.'],
    ],
    'cells of comma-separated values go on over lines, and others part them': [
      `.. csv-table:: Boats
   :header: "Name", "Words"

   Ann, "said ""row"",
   and rowed"
   Ole, nothing

.. csv-table::
   :delim: ;
   :header-rows: 1

   Port;Depth
   Holm, east;9`,
      [
        'Boats',
        'Name: Ann | Words: said "row", and rowed',
        'Name: Ole | Words: nothing',
        'Port: Holm, east | Depth: 9',
      ],
    ],
    'lines of a line block stay lines': [
      '| Row, row\n| your\n  boat\n|\n| gently',
      ['Row, row\nyour boat\ngently'],
    ],
    'words begin on the line of a quotation': [
      '.. epigraph:: Row\n   on.\n\n   -- Ann\n\n.. centered:: The end',
      ['Row on.', '-- Ann', 'The end'],
    ],
    'substitutions of several lines, of characters and of images': [
      `.. |boat| replace:: the old
   ferry
.. |c| unicode:: U+00A9 .. copyright
.. |pic| image:: a.png
   :alt: A mast

|c| |boat|: |pic|.`,
      ['© the old ferry: A mast.'],
    ],
  };

for (const [name, [lines, expected]] of Object.entries(CONSTRUCTS))
  test(name, async () => {
    const page = await readPage('a.rst', `Boats\n=====\n\n${lines}\n`);
    assert.deepEqual(page.text.split('\n\n'), expected);
  });

test('a page names the files that it includes, which are not read in their place', async () => {
  const included = '.. include:: ../changes.rst';
  const read = async (text: string): Promise<unknown> => {
    for await (const found of rst.read(memorySource('a.rst', text), DEFAULT_LIMITS))
      return found.type === 'skipped' ? found.reason : found.notes;
    return 'nothing';
  };
  const note = 'without ../changes.rst, which it includes';
  assert.deepEqual(await read(included), `no readable text; ${note}`);
  assert.deepEqual(await read(`Boats\n=====\n\n${included}\n\nRow.`), [note]);
  assert.deepEqual(await read('Boats\n=====\n\nRow.'), undefined);
});
