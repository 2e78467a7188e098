/** Tests the blocks of HTML: kinds, headings, lines, tables, definitions, and what is left out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document } from '../src/core/corpus/document.ts';
import { readPage, shownBlocks } from './format-blocks.ts';

const read = (text: string, path = 'docs/page.html'): Promise<Document> => readPage(path, text);
/** Returns each block as "kind [headings] text". */
const shown = (document: Document): string[] =>
  shownBlocks(document).map(block => block.replace(/^\d+ /, ''));

test('headings, items, definitions, options, code and captions are blocks', async () => {
  const page =
    await read(`<title>Server options | Acme</title><main><h1>Server options<a class="headerlink" href="#s">¶</a></h1>
<p>All of <b>them</b>.</p>
<h2>§ Limits</h2>
<ul><li>plain<li>bodyLimit:<ul><li>Default: 5</ul><p>In bytes.</p></ul>
<ol start="3"><li>third<li>fourth</ol>
<dl><dt><code>wait</code></dt><dt>hold</dt><dd><p>Waits.</p><p>Long.</p></dd><dt>--all</dt><dd>Everything.<dt>alone</dl>
<pre>
let a;

  // Do. It.
</pre><figure><img src=x><figcaption>A chart</figcaption></figure></main>`);
  assert.equal(page.title, 'Server options | Acme');
  assert.deepEqual(shown(page), [
    'prose [] All of them.',
    'heading [Limits] Limits',
    'list-item [Limits] - plain',
    'list-item [Limits] - bodyLimit:',
    'list-item [Limits > bodyLimit] - Default: 5',
    'prose [Limits > bodyLimit] In bytes.',
    'list-item [Limits] 3. third',
    'list-item [Limits] 4. fourth',
    'definition [Limits] wait, hold: Waits.',
    'prose [Limits > wait, hold] Long.',
    'option [Limits] --all: Everything.',
    'definition [Limits] alone',
    'code [Limits] let a;\n  // Do. It.',
    'caption [Limits] A chart',
  ]);
  assert.deepEqual(
    page.outline!.map(({ line }) => line),
    [2, 3, 4, 4, 4, 4, 5, 5, 6, 6, 6, 6, 8, 11],
  );
});

test('rows carry the heads of their columns; tables of layout are running text', async () => {
  const page =
    await read(`<table><caption>Limits</caption><thead><tr><th>Option<th colspan=2>Default</thead>
<tr><td><a href="../a.html#x">wait</a><td>5<td>s<tr><th>hold<td><p>6</p><ul><li>in all</ul><td></table>
<table><tr><td><h2>Placed</h2><p>One.</p><td><p>Two.</p></table>
<table><tr><td>a<td>b</table><table><tr><th>only<th>heads</table>`);
  assert.deepEqual(shown(page), [
    'caption [] Limits',
    'table-row [] Option: wait | Default: 5 | Default: s',
    'table-row [] Option: hold | Default: 6 in all',
    'heading [] Placed',
    'prose [] One.',
    'prose [] Two.',
    'table-row [] a | b',
    'table-row [] only | heads',
  ]);
  assert.deepEqual(page.outline![1]!.links, ['a.html#x']);
});

test('furniture of a page is left out: by element, role, class, and runs of links', async () => {
  const link = (target: string): string => `<li><a href="${target}">to ${target}</a></li>`;
  const page =
    await read(`<body><header>Site</header><div class="sphinxsidebar x">Side</div><div role="navigation">Nav</div>
<ul>${['a.html', 'b.html', 'c.html'].map(link).join('')}</ul>
<p>One <a href="d.html">link</a> in a sentence.</p><p><a href="e.html">A link alone</a></p><p>Words.</p>
<ul>${['#a', '#b', '#c'].map(link).join('')}</ul><div id="toc">Contents</div><p>Two.</p>
${['to #a', 'to #b', 'to #c'].map(heading => `<h2>${heading}</h2>`).join('')}</body>`);
  assert.deepEqual(shown(page), [
    'prose [] One link in a sentence.',
    'prose [] A link alone',
    'prose [] Words.',
    'prose [] Two.',
    ...['to #a', 'to #b', 'to #c'].map(heading => `heading [${heading}] ${heading}`),
  ]);
  const marked = await read(
    `<p>Outside</p><main><ul>${['a.html', 'b.html', 'c.html'].map(link).join('')}</ul></main>`,
  );
  assert.equal(marked.outline!.length, 3, 'links in marked content stay');
  const index = await read(
    `<h1>All pages</h1><ul>${['a.html', 'b.html', 'c.html'].map(link).join('')}</ul>`,
  );
  assert.equal(index.outline!.length, 3, 'and so do those of a page of links');
});

test('HTML inside Markdown is read alike, at its lines', async () => {
  const page = await read(
    '<h1 align="center">Fastify</h1>\n\n## Server\n\n<table>\n<tr><th>Option</th></tr>\n<tr><td>wait</td></tr>\n</table>\n',
    'fastify/docs/Reference/Server.md',
  );
  assert.equal(page.title, 'Fastify (Reference/Server)');
  assert.deepEqual(shown(page), ['heading [Server] Server', 'table-row [Server] Option: wait']);
  assert.deepEqual(
    page.outline!.map(({ line }) => line),
    [3, 7],
  );
});

test('a page states its language and the day of its last change', async () => {
  const { metadata } = await read(
    `<html lang="de"><meta property="article:modified_time" content="2024-03-05T10:00:00+02:00">
     <meta name="date" content="2024-01-02"><p>Der Motor.`,
  );
  assert.deepEqual(metadata, {
    changed_at: '2024-03-05T10:00:00+02:00',
    language: 'de',
    published_at: '2024-01-02',
  });
});

test('menus and choices of a language are left out', async () => {
  const page = await read(
    `<p class="menu"><a href="a">Modules</a> | FAQ</p><div class="toplang">Languages: en</div>
     <p>The Alpha pump has 3 valves.</p>`,
  );
  assert.equal(page.text, 'The Alpha pump has 3 valves.');
});
