/** Tests definition lists of Markdown and HTML: a term stands above all of its definition. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { titleAt } from '../src/core/corpus/outline.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { readPage, shownBlocks } from './format-blocks.ts';

describe('a definition list of Markdown', () => {
  test('is read as terms with their texts, and what follows stands under its term', async () => {
    const page = await readPage(
      'git/config.md',
      `# Git settings

\`gc.auto\`
: When there are more loose objects
  than this, they are packed.

  The default value is **6700**. See [packing](pack.md).

  - 0 disables it

  \`\`\`
  git gc --auto
  \`\`\`

gc.bigPackThreshold
gc.threshold

: If non-zero, packs larger
than this are kept.
: Sizes take suffixes.

--quiet
:   Say nothing.

After the list.
`,
    );
    assert.deepEqual(shownBlocks(page), [
      '3 definition [] gc.auto: When there are more loose objects than this, they are packed.',
      '7 prose [gc.auto] The default value is 6700. See packing.',
      '9 list-item [gc.auto] - 0 disables it',
      '12 code [gc.auto] git gc --auto',
      '15 definition [] gc.bigPackThreshold, gc.threshold: If non-zero, packs larger than this are kept.',
      '20 prose [gc.bigPackThreshold, gc.threshold] Sizes take suffixes.',
      '22 option [] --quiet: Say nothing.',
      '25 prose [] After the list.',
    ]);
    assert.deepEqual(page.outline![1]!.links, ['git/pack.md']);
  });

  test('without text in its definition is a term of its own above it', async () => {
    const page = await readPage(
      'a.md',
      '# A list\n\nfetch\n:   - one\n    - two\n\npull\n: ~~~\n  x = 1\n  ~~~\n',
    );
    assert.deepEqual(shownBlocks(page), [
      '3 definition [] fetch',
      '4 list-item [fetch] - one',
      '5 list-item [fetch] - two',
      '7 definition [] pull',
      '9 code [pull] x = 1',
    ]);
  });

  test('is none where a colon begins a line for another reason', async () => {
    for (const text of [
      '| a | b |\n|---|---|\n| 1 | 2 |\n\n: A caption\n',
      'Words.\n\n:::note\nCare.\n:::\n',
      '- item\n\n: text\n',
      '# Heading\n: text\n',
      ': text alone\n',
      'Two\n:no space\n',
      '```\nterm\n: text\n```\n',
      '> quoted\n: text\n',
      'Title\n=====\n: text\n',
      `${'A sentence that goes on. '.repeat(20)}\n\n: text\n`,
    ]) {
      const { outline } = await readPage('a.md', text);
      assert.ok(!outline!.some(({ kind }) => kind === 'definition'), text);
    }
  });

  test('of any lines loses no word, and is read in linear time', async () => {
    const line = fc.constantFrom(
      'term',
      ': text',
      ':   more',
      '',
      '  inner',
      '    deep',
      '- item',
      ':',
      '`code`',
      '> q',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 14 }), async lines => {
        const words = lines.flatMap(each => each.match(/[a-z]+/g) ?? []);
        if (words.length === 0) return;
        const { text } = await readPage('a.md', `start\n\n${lines.join('\n')}\n`);
        const read = text.match(/[a-z]+/g)!.filter(word => word !== 'start');
        assert.deepEqual([...read].sort(), words.sort(), JSON.stringify(lines));
      }),
    );
  });
});

describe('a definition list of HTML', () => {
  const shown = async (html: string): Promise<string[]> =>
    shownBlocks(await readPage('page.html', html)).map(each => each.replace(/^\d+ /, ''));

  test('has its term above a list, a table or code, and above each further definition', async () => {
    assert.deepEqual(
      await shown(
        '<dl><dt>fetch</dt><dd><ul><li>one</li></ul></dd><dt>pull</dt><dd><table><tr><td>k</td><td>v</td></tr></table></dd>' +
          '<dt>push</dt><dd><pre>x</pre></dd><dt>name</dt><dd>A</dd><dd>B</dd><dt>last</dt></dl><p>After</p>',
      ),
      [
        'definition [] fetch',
        'list-item [fetch] - one',
        'definition [] pull',
        'table-row [pull] k | v',
        'definition [] push',
        'code [push] x',
        'definition [] name: A',
        'prose [name] B',
        'definition [] last',
        'prose [] After',
      ],
    );
  });

  test('has the name of a long signature above what follows', async () => {
    const signature = `run(${'argument, '.repeat(20)}last)`;
    assert.deepEqual(
      (await shown(`<dl><dt>${signature}</dt><dd><p>Runs.</p><p>Then stops.</p></dd></dl>`))[1],
      'prose [run] Then stops.',
    );
  });

  test('inside another one stands under the term of that', async () => {
    assert.deepEqual(
      await shown(
        '<dl><dt>a</dt><dd>A<dl><dt>b</dt><dd>B<p>more</p></dd></dl><p>of a</p></dd></dl>',
      ),
      ['definition [] a: A', 'definition [a] b: B', 'prose [a > b] more', 'prose [a] of a'],
    );
  });

  test('as rows of a table reads as definitions, without a bar', async () => {
    assert.deepEqual(
      await shown(
        '<table><tr><th>Version:</th><td>1.2</td></tr><tr><th>Options</th><td></td></tr></table>' +
          '<table><tr><td class="hdlist1"><b>gc.auto</b></td><td class="hdlist2"><p>6700</p></td></tr></table>' +
          '<table><tr><th>a</th><td>1</td><td>2</td></tr></table>' +
          '<table><tr><th>Name</th><th>Default</th></tr><tr><th>trust</th><td>no</td></tr></table>',
      ),
      [
        'definition [] Version: 1.2',
        'table-row [] Options',
        'definition [] gc.auto: 6700',
        'table-row [] a | 1 | 2',
        'table-row [] Name: trust | Default: no',
      ],
    );
  });
});

test('a description in a section of its name says the name once', async () => {
  const signature = `run(${'argument, '.repeat(20)}last)`;
  const page = await readPage(
    'a.rst',
    `All of it\n=========\n\nrun\n---\n\n.. py:function:: ${signature}\n\n   Runs.\n\n   Then stops.\n`,
  );
  assert.equal(shownBlocks(page).at(-1), '11 prose [run] Then stops.');
});

test('a search for a term finds its definition, and evidence shows the term', async () => {
  const html =
    '<h1>Git settings</h1><dl><dt>gc.auto</dt><dd><p>Packs loose objects.</p><p>The default value is 6700.</p></dd>' +
    '<dt>gc.pruneExpire</dt><dd><p>Prunes old objects.</p><p>The default value is two weeks.</p></dd></dl>';
  const markdown =
    '# Git settings\n\ngc.auto\n: Packs loose objects.\n\n  The default value is 6700.\n\n' +
    'gc.pruneExpire\n: Prunes old objects.\n\n  The default value is two weeks.\n';
  for (const [path, text] of [
    ['config.html', html],
    ['config.md', markdown],
  ] as const) {
    const document = await readPage(path, text);
    const { current } = new EmbeddedEngine({ documents: [document] });
    const queries = [
      { text: 'default value of gc.pruneExpire' },
      { text: 'default value of gc.auto' },
    ];
    const lists = await current.search({ unit: 'sentence', k: 1, queries });
    const found = lists.map(([hit]) => [
      titleAt(document, hit!.start),
      document.text.slice(hit!.start, hit!.end).trimEnd(),
    ]);
    assert.deepEqual(
      found,
      [
        ['Git settings > gc.pruneExpire', 'The default value is two weeks.'],
        ['Git settings > gc.auto', 'The default value is 6700.'],
      ],
      path,
    );
  }
});
