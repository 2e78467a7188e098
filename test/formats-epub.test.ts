/** Tests EPUB: chapters, headings and facts of a book, and archives made to do harm. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { DEFAULT_LIMITS, memorySource } from '../src/documents/files/source.ts';
import { BadZip, Zip } from '../src/documents/files/zip.ts';
import { epub } from '../src/documents/formats/epub/epub.ts';
import { readPage, shownBlocks } from './format-blocks.ts';
import { type Packed, zipOf } from './zip-archive.ts';

const CONTAINER =
  '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>';
const chapter = (body: string, title: string = ''): string =>
  `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head>${title === '' ? '<title/>' : `<title>${title}</title>`}</head><body>${body}</body></html>`;

type Files = Readonly<Record<string, string | Packed>>;

/** Returns the files of a book of these chapters, in this order. */
function bookOf(
  chapters: Files,
  more: Files = {},
  facts: string = '<dc:title>Ferries</dc:title>',
): Files {
  const names = Object.keys(chapters);
  const items = names.map(
    (name, at) => `<item id="c${at}" href="${name}" media-type="application/xhtml+xml"/>`,
  );
  const spine = names.map((_, at) => `<itemref idref="c${at}"/>`).join('');
  const nav =
    'OPS/nav.xhtml' in more
      ? '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
      : '';
  const ncx =
    'OPS/toc.ncx' in more
      ? '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
      : '';
  return {
    mimetype: { content: 'application/epub+zip', method: 0 },
    'META-INF/container.xml': CONTAINER,
    'OPS/book.opf': `<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>${facts}</metadata><manifest>${items.join('')}${nav}${ncx}<item id="i" href="a.png" media-type="image/png"/></manifest><spine><itemref idref="nav"/>${spine}<itemref idref="i"/><itemref idref="gone"/></spine></package>`,
    ...Object.fromEntries(names.map(name => [`OPS/${decodeURIComponent(name)}`, chapters[name]!])),
    ...more,
  };
}

const read = (files: Files): ReturnType<typeof readPage> => readPage('a.epub', zipOf(files));

describe('EPUB: a book', () => {
  test('chapters in the order of the spine, below their headings, and what the book says of itself', async () => {
    const facts = `<dc:title>The  Ferry
      Book</dc:title><dc:creator>Ada Quill</dc:creator><dc:creator>Bo Lind</dc:creator><dc:date>2024-03-02</dc:date><dc:language>en</dc:language>`;
    const book = bookOf(
      {
        'b.xhtml': chapter(
          '<h1>Boats</h1><p>The Linnet sails.</p><h2>Engines</h2><p>One<br/>diesel.</p>',
        ),
        'a%20b.xhtml': chapter(
          '<h1>Crews</h1><a id="p2"/><p>Three people &amp; a dog.</p><ul><li>A cook</li></ul>',
        ),
      },
      {},
      facts,
    );
    const document = await read(book);
    assert.equal(document.title, 'The Ferry Book');
    assert.deepEqual(document.metadata, {
      author: 'Ada Quill, Bo Lind',
      published_at: '2024-03-02',
      language: 'en',
    });
    assert.deepEqual(
      shownBlocks(document).map(block => block.replace('undefined ', '')),
      [
        'heading [Boats] Boats',
        'prose [Boats] The Linnet sails.',
        'heading [Boats > Engines] Engines',
        'prose [Boats > Engines] One\ndiesel.',
        'heading [Crews] Crews',
        'prose [Crews] Three people & a dog.',
        'list-item [Crews] - A cook',
      ],
    );
  });

  const HEADLESS = {
    'a.xhtml': chapter('<p>The Linnet sails.</p>'),
    'b.xhtml': chapter('<p>She goes on.</p>'),
    'c.xhtml': chapter('<p>Her crew.</p>'),
    'd.xhtml': chapter('<p>A motto.</p><h1>Ports</h1><p>Skarvik.</p>'),
  };
  const SHOWN = [
    '[Boats] The Linnet sails.',
    '[Boats] She goes on.',
    '[Boats > Crews] Her crew.',
    '[Boats > Crews] A motto.',
    '[Ports] Skarvik.',
  ];
  const prose = async (more: Files): Promise<string[]> =>
    shownBlocks(await read(bookOf(HEADLESS, more)))
      .filter(block => !block.includes(' heading '))
      .map(block => block.replace(/^undefined \S+ /, ''));

  test('notes in asides and lists of links stay; what stands beside a table of contents does too', async () => {
    const link = (name: string): string => `<li><a href="b.xhtml">${name}</a></li>`;
    const nav = `<nav epub:type="toc"><ol>${link('Ropes')}</ol></nav><p>Set in 1990. Printed twice.</p>`;
    const document = await read(
      bookOf(
        {
          'b.xhtml': chapter(
            `<h1>Ropes</h1><p>Tar keeps<a epub:type="noteref" href="#n1">1</a> them.</p><aside epub:type="footnote" id="n1"><p>From pine.</p></aside><ul>${['Hemp', 'Sisal', 'Coir'].map(link).join('')}</ul>`,
          ),
        },
        { 'OPS/nav.xhtml': chapter(nav) },
      ),
    );
    for (const part of ['Tar keeps[1] them.', 'From pine.', '- Sisal', 'Printed twice.'])
      assert.ok(document.text.includes(part), part);
  });

  test('a chapter without a heading has that of the table of contents (EPUB 3)', async () => {
    const nav = chapter(
      `<p>The chapters:</p><nav epub:type="toc"><ol><li><a href="a.xhtml"><span>Bo<i>ats</i></span></a><ol><li><a href="c.xhtml#x">Crews</a></li></ol></li><li><a href="d.xhtml">Ports</a></li></ol></nav>
       <nav epub:type="page-list"><ol><li><a href="b.xhtml">17</a></li></ol></nav>`,
    );
    assert.deepEqual(await prose({ 'OPS/nav.xhtml': nav }), SHOWN);
  });

  test('the same of EPUB 2', async () => {
    const point = (label: string, src: string, inner: string = ''): string =>
      `<navPoint><navLabel><text>${label}</text></navLabel><content src="${src}"/>${inner}</navPoint>`;
    const ncx = `<ncx><docTitle><text>Ferries</text></docTitle><navMap>${point('Boats', 'a.xhtml', point('Crews', 'c.xhtml'))}${point('Ports', 'd.xhtml')}</navMap><pageList><pageTarget><navLabel><text>17</text></navLabel><content src="b.xhtml"/></pageTarget></pageList></ncx>`;
    assert.deepEqual(await prose({ 'OPS/toc.ncx': ncx }), SHOWN);
  });

  test('a table of contents that cannot be read costs its headings alone', async () => {
    const nav = { content: '<nav epub:type="toc"/>', crc: 1 };
    const shown = await prose({ 'OPS/nav.xhtml': nav });
    assert.deepEqual(shown.slice(0, 3), [
      '[] The Linnet sails.',
      '[] She goes on.',
      '[] Her crew.',
    ]);
  });

  test('a chapter that is missing or damaged is named, and the others are read', async () => {
    const whole = chapter('<p>The Linnet sails.</p>');
    const files = {
      ...bookOf({ 'a.xhtml': whole, 'b.xhtml': whole, 'c.xhtml': { content: whole, crc: 1 } }),
    };
    delete (files as Record<string, unknown>)['OPS/b.xhtml'];
    const { metadata, text } = await read(files);
    assert.equal(text, 'The Linnet sails.');
    assert.equal(metadata['incomplete'], '2 of 3 chapters cannot be read: OPS/b.xhtml is missing');
  });

  test('encrypted fonts do no harm', async () => {
    const uri = '<enc:CipherReference URI="OPS/font.otf"/>';
    const { text } = await read(
      bookOf(
        { 'a.xhtml': chapter('<p>Read.</p>') },
        { 'META-INF/encryption.xml': `<encryption>${uri}</encryption>` },
      ),
    );
    assert.equal(text, 'Read.');
  });
});

describe('EPUB: archives that are refused by name', () => {
  const ONE = { 'a.xhtml': chapter('<p>Read.</p>') };
  const refused = (what: string, files: Files, reason: RegExp): void =>
    void test(what, async () => assert.rejects(read(files), { message: reason }));
  const without = (name: string): Files => {
    const { [name]: _, ...rest } = bookOf(ONE);
    return rest;
  };
  refused('no container', without('META-INF/container.xml'), /META-INF\/container\.xml is missing/);
  refused('no package', without('OPS/book.opf'), /^not a valid EPUB: OPS\/book\.opf is missing$/);
  refused('no chapter', bookOf({}), /no readable text/);
  refused(
    'chapters that a key opens',
    bookOf(ONE, {
      'META-INF/encryption.xml': '<encryption><CipherReference URI="OPS/a.xhtml"/></encryption>',
    }),
    /^an EPUB that cannot be read: OPS\/a\.xhtml is encrypted$/,
  );
  refused(
    'files that a password opens',
    bookOf({ 'a.xhtml': { content: 'x', flags: 1 } }),
    /OPS\/a\.xhtml is encrypted/,
  );
  refused(
    'a bomb that states its size',
    bookOf({ 'a.xhtml': Buffer.alloc(60 << 20, 32).toString() }),
    /OPS\/a\.xhtml holds more than 50 MiB/,
  );
  refused(
    'a bomb that states less',
    bookOf({ 'a.xhtml': { content: Buffer.alloc(60 << 20, 32), size: 1000 } }),
    /OPS\/a\.xhtml is damaged/,
  );
  test('inflating stops at the stated size', () => {
    const zip = new Zip(zipOf({ a: { content: Buffer.alloc(1 << 20), size: 1000 } }), 1 << 20);
    const stopped = (error: BadZip): boolean =>
      (error.cause as { code: string }).code === 'ERR_BUFFER_TOO_LARGE';
    assert.throws(() => zip.read('a'), stopped);
  });
  refused(
    'a package that would fill the memory with elements',
    { ...bookOf(ONE), 'OPS/book.opf': '<item/>'.repeat(1 << 20) },
    /OPS\/book\.opf holds more than 4 MiB/,
  );
  refused(
    'a method that is not read',
    bookOf({ 'a.xhtml': { content: 'x', method: 14 } }),
    /compressed by a method that is not read/,
  );

  test('files that each are small are counted together', () => {
    const files = Object.fromEntries(['a', 'b', 'c'].map(name => [name, 'x'.repeat(100)]));
    const zip = new Zip(zipOf(files), 250);
    assert.equal(zip.read('a').length + zip.read('b').length, 200);
    assert.throws(() => zip.read('c'), new BadZip('its files hold more than 250 bytes'));
  });

  test('a name that leads out of the archive is a name of the archive and of no file', async () => {
    const outside = '../../../../../../etc/hostname';
    const text = chapter('<p>Inside.</p>');
    const book = bookOf({ 'a.xhtml': text, [outside]: text });
    const { metadata, text: all } = await read(book);
    assert.equal(all, 'Inside.');
    assert.equal(metadata['incomplete'], '1 of 2 chapters cannot be read: etc/hostname is missing');
  });

  test('a package with entities of entities expands none', async () => {
    const bomb = '<!DOCTYPE p [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>';
    const files = bookOf(ONE, {}, '<dc:title>Ferries &b;</dc:title>');
    const opf = `${bomb}${files['OPS/book.opf']}`;
    assert.equal((await read({ ...files, 'OPS/book.opf': opf })).title, 'Ferries &b;');
  });

  test('a comment at the end is passed over; what is cut or no archive says so', async () => {
    const bytes = zipOf(bookOf(ONE), 'a comment');
    assert.equal((await readPage('a.epub', bytes)).text, 'Read.');
    for (const cut of [
      bytes.subarray(0, bytes.length - 40),
      Buffer.from('<html>'),
      Buffer.alloc(0),
    ])
      await assert.rejects(readPage('a.epub', cut), { message: /not a valid EPUB|empty/ });
  });

  test('any damage of bytes ends in a document or a reason', async () => {
    const bytes = zipOf(bookOf({ 'a.xhtml': chapter('<h1>One</h1><p>Text.</p>') }));
    const byte$ = fc.record({ at: fc.nat(bytes.length - 1), to: fc.nat(255) });
    const read$ = fc.asyncProperty(
      fc.array(byte$, { minLength: 1, maxLength: 8 }),
      async changes => {
        const changed = Buffer.from(bytes);
        for (const { at, to } of changes) changed[at] = to;
        // Without the process in which a file is read, for which 500 runs would wait.
        for await (const found of epub.read(memorySource('a.epub', changed), DEFAULT_LIMITS))
          if (found.type === 'skipped') assert.match(found.reason, /EPUB|no readable text/);
      },
    );
    await fc.assert(read$, { numRuns: 500 });
  });
});
