/** Tests PDF and DOCX: blocks and pages, and files that cannot be read. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readSource } from '../src/documents/files/read-source.ts';
import { DEFAULT_LIMITS, memorySource } from '../src/documents/files/source.ts';
import { characterMaps } from '../src/documents/formats/pdf/character-maps.ts';
import { packageAddress } from '../src/documents/whole-file.ts';
import { readPage } from './format-blocks.ts';
import { freshFolder } from './fresh-folder.ts';
import { docxOf, type Line, paragraph, pdfOf, pdfOfObjects, streamOf } from './office-files.ts';
import { zipOf } from './zip-archive.ts';

const RUNNING: Line = [9, 0, 'Acme manual'];

test('PDF: headings by their font, paragraphs by their distance, pages, no running lines', async () => {
  const pages: Line[][] = [
    [
      [24, 0, 'Server manual'],
      [16, 40, 'Limits of the server'],
      [10, 30, 'The limit is exam-'],
      [10, 12, 'ple text of'],
      [10, 12, 'three lines.'],
      [10, 30, 'A paragraph that'],
      [9, 606, '1'],
    ],
    [
      RUNNING,
      [10, 48, 'goes on here.'],
      [10, 24, '- an item'],
      [10, 12, '- another'],
      [9, 646, '2'],
    ],
    [RUNNING, [16, 48, 'Other things'], [10, 30, 'The end.'], [9, 652, '3']],
    [RUNNING, [9, 730, '4']],
  ];
  const document = await readPage(
    'a.pdf',
    pdfOf(pages, '/Author(Jane Roe)/CreationDate(D:20240102)'),
  );
  assert.equal(document.title, 'Server manual');
  assert.deepEqual(document.metadata, { author: 'Jane Roe', published_at: '2024-01-02', pages: 4 });
  const { text, outline = [] } = document;
  assert.deepEqual(
    outline.map(({ start, heading, kind = 'prose', page }, at) => [
      page,
      kind,
      heading.join(' > '),
      text.slice(start, outline[at + 1]?.start).trimEnd(),
    ]),
    [
      [1, 'heading', 'Limits of the server', 'Limits of the server'],
      [1, 'prose', 'Limits of the server', 'The limit is example text of three lines.'],
      [1, 'prose', 'Limits of the server', 'A paragraph that goes on here.'],
      [2, 'list-item', 'Limits of the server', '- an item'],
      [2, 'list-item', 'Limits of the server', '- another'],
      [3, 'heading', 'Other things', 'Other things'],
      [3, 'prose', 'Other things', 'The end.'],
    ],
  );
});

test('PDF: a page without text is counted; a file without any is skipped', async () => {
  const some = await readPage('a.pdf', pdfOf([[[10, 0, 'Words here.']], []]));
  assert.equal(some.metadata['incomplete'], '1 of 2 pages hold no text');
  await assert.rejects(readPage('a.pdf', pdfOf([[], []])), /without text \(2 pages\).*recognition/);
});

/** Returns a PDF of one page with these fields of a form, and notes. */
const formOf = (contents: string, fields: readonly string[], notes: readonly string[]): Buffer => {
  const ids = [...fields, ...notes].map((_, at) => `${7 + at} 0 R`);
  return pdfOfObjects([
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${ids.slice(0, fields.length).join(' ')}]>>>>`,
    '<</Type/Pages/Count 1/Kids[5 0 R]>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    '<<>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 3 0 R>>>>/Contents 6 0 R/Annots[${ids.join(' ')}]>>`,
    streamOf(contents),
    ...fields.map(
      entries => `<</Type/Annot/Subtype/Widget/Rect[50 50 200 70]/P 5 0 R/F 4${entries}>>`,
    ),
    ...notes.map(entries => `<</Type/Annot/Rect[50 90 200 110]/P 5 0 R/F 4${entries}>>`),
  ]);
};

test('PDF: values of fields are lines of their page; passwords, buttons and empty fields are not', async () => {
  const fields = [
    '/FT/Tx/T(Name)/V(Ann Roe)',
    '/FT/Tx/T(Town)/V()',
    '/FT/Tx/T(Secret)/V(open)/Ff 8192',
    '/FT/Ch/T(Berth)/V(n)/Ff 131072/Opt[[(n)(North)][(s)(South)]]',
    '/FT/Btn/T(Agreed)/V/Yes/AS/Yes',
  ];
  const document = await readPage(
    'a.pdf',
    formOf('BT /F1 10 Tf 50 700 Td (An application) Tj ET', fields, []),
  );
  assert.equal(document.text, 'An application\n\nName: Ann Roe\n\nBerth: North');
  assert.equal(document.metadata['incomplete'], undefined);
});

test('PDF: a page that shows a note alone has text', async () => {
  const note = '/Subtype/FreeText/Contents(Closed for the winter)/DA(/F1 10 Tf)';
  assert.equal((await readPage('a.pdf', formOf('', [], [note]))).text, 'Closed for the winter');
});

/** An empty page, encrypted by RC4 with 40 bits and the password "secret". */
const ENCRYPTED =
  'JVBERi0xLjMKJeLjz9MKMSAwIG9iago8PAovUHJvZHVjZXIgPDUwMjk0MzMwYjA+Cj4+CmVuZG9iagoyIDAgb2JqCj' +
  'w8Ci9UeXBlIC9QYWdlcwovQ291bnQgMQovS2lkcyBbIDQgMCBSIF0KPj4KZW5kb2JqCjMgMCBvYmoKPDwKL1R5cGUg' +
  'L0NhdGFsb2cKL1BhZ2VzIDIgMCBSCj4+CmVuZG9iago0IDAgb2JqCjw8Ci9UeXBlIC9QYWdlCi9SZXNvdXJjZXMgPD' +
  'wKPj4KL01lZGlhQm94IFsgMC4wIDAuMCAxMDAgMTAwIF0KL1BhcmVudCAyIDAgUgo+PgplbmRvYmoKNSAwIG9iago8' +
  'PAovViAxCi9SIDIKL0xlbmd0aCA0MAovUCA0Mjk0OTY3MjkyCi9GaWx0ZXIgL1N0YW5kYXJkCi9PIDxlNWE4ZDI2OD' +
  'diZDlkMGNmZjk0NmI3YWM1NWY1MTA4MWRjZjBkMTE2NTU0YzRiZmNiMGE1ZTQ0NmY2OWVhNDhhPgovVSA8ZTViNTVi' +
  'YWM3YzVkZGVjZTg5ZTBmMGNlYjc2OWI4NWI4ZTc2OGZhNTQ3NDI3YmRiMGU5ZWU3MGM2ZGRkZmY2Mz4KPj4KZW5kb2' +
  'JqCnhyZWYKMCA2CjAwMDAwMDAwMDAgNjU1MzUgZiAKMDAwMDAwMDAxNSAwMDAwMCBuIAowMDAwMDAwMDU5IDAwMDAw' +
  'IG4gCjAwMDAwMDAxMTggMDAwMDAgbiAKMDAwMDAwMDE2NyAwMDAwMCBuIAowMDAwMDAwMjYxIDAwMDAwIG4gCnRyYW' +
  'lsZXIKPDwKL1NpemUgNgovUm9vdCAzIDAgUgovSW5mbyAxIDAgUgovSUQgWyA8N2Q5ZWU3NTRiYjcxNTdiN2RlZjg2' +
  'YmE4N2IwYTI1Y2I+IDw3ZDllZTc1NGJiNzE1N2I3ZGVmODZiYTg3YjBhMjVjYj4gXQovRW5jcnlwdCA1IDAgUgo+Pg' +
  'pzdGFydHhyZWYKNDc1CiUlRU9GCg==';

test('PDF: encrypted, broken and cut files are skipped with their reason', async () => {
  const encrypted = Buffer.from(ENCRYPTED, 'base64');
  await assert.rejects(readPage('a.pdf', encrypted), /an encrypted PDF/);
  await assert.rejects(readPage('a.pdf', '%PDF-1.7\nnonsense'), /not a valid PDF/);
  const whole = pdfOf([[[10, 0, 'Words here.']]]);
  const cut = readPage('a.pdf', whole.subarray(0, 200));
  await assert.rejects(cut, /not a valid PDF|without text|cannot be read/);
});

/** A page with a letter in a Japanese font that the file does not hold, and a text in Latin. */
const japanesePage = (latin: string): Buffer =>
  pdfOfObjects([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[5 0 R]>>',
    '<</Type/Font/Subtype/Type0/BaseFont/Ryumin-Light/Encoding/Identity-H/DescendantFonts[7 0 R]>>',
    '<<>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 3 0 R/F2 9 0 R>>>>/Contents 6 0 R>>',
    streamOf(`BT /F1 12 Tf 50 700 Td <034B> Tj ET BT /F2 12 Tf 50 600 Td (${latin}) Tj ET`),
    '<</Type/Font/Subtype/CIDFontType0/BaseFont/Ryumin-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/FontDescriptor 8 0 R>>',
    '<</Type/FontDescriptor/FontName/Ryumin-Light/Flags 6/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  ]);

async function notesOf(path: string, content: Uint8Array): Promise<readonly string[]> {
  const source = memorySource(path, content);
  for await (const found of readSource(source, true, undefined, DEFAULT_LIMITS))
    return found.type === 'document' ? (found.notes ?? []) : [found.reason];
  return [];
}

test('PDF: text of fonts whose character maps are not installed is said to be missing', async () => {
  const notes = await notesOf('a.pdf', japanesePage('Chapter one'));
  assert.deepEqual(notes, [
    'text of fonts without character maps is missing: npm install pdfjs-dist',
  ]);
  await assert.rejects(
    readPage('a.pdf', japanesePage('')),
    /can be read: .* npm install pdfjs-dist/,
  );
});

test('PDF: character maps are read from their package', async () => {
  const folder = freshFolder();
  const file = join(folder, 'Some-UCS2.bcmap');
  writeFileSync(file, 'map');
  let missing = 0;
  const Maps = characterMaps(
    () => missing++,
    name => pathToFileURL(join(folder, name)).href,
  );
  const wanted = { kind: 'cMapUrl', filename: 'Some-UCS2.bcmap' };
  assert.equal(Buffer.from(await new Maps().fetch(wanted)).toString(), 'map');
  const other = new Maps().fetch({ ...wanted, filename: 'Other.bcmap' });
  await assert.rejects(other, /no character map Other/);
  assert.equal(missing, 1);
});

test('DOCX: headings and tables by their styles', async () => {
  const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`;
  const document = await readPage(
    'a.docx',
    docxOf(
      `${paragraph('Server manual', 'Title')}${paragraph('All of it.')}${paragraph('Limits', 'Heading1')}<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('Name')}${cell('Default')}</w:tr><w:tr>${cell('wait')}${cell('5')}</w:tr></w:tbl>`,
    ),
  );
  assert.equal(document.title, 'Server manual');
  assert.match(document.text, /^Server manual|^All of it\./);
  assert.match(document.text, /\n\nName: wait \| Default: 5$/);
  const row = document.outline!.at(-1)!;
  assert.deepEqual([row.kind, row.heading.at(-1), row.line], ['table-row', 'Limits', undefined]);
});

test('DOCX: other archives, broken and empty files are skipped with their reason', async () => {
  await assert.rejects(readPage('a.docx', zipOf({ 'a.txt': 'a' })), /not a valid DOCX/);
  await assert.rejects(readPage('a.docx', 'PK\x03\x04'), /not a valid DOCX/);
  await assert.rejects(readPage('a.docx', docxOf('')), /no readable text/);
});

test('DOCX: damaged and bulky media cost no text; damaged parts with text skip the document', async () => {
  const body = paragraph('The mill burnt down.');
  const wrong = { content: 'pixels', crc: 1 };
  const bulky = { content: ' '.repeat(2 ** 21) };
  const document = await readPage(
    'a.docx',
    docxOf(body, {}, { 'word/media/image1.png': wrong, 'word/media/image2.emf': bulky }),
  );
  assert.equal(document.text, 'The mill burnt down.');
  const damaged = docxOf(body, {}, { 'word/footnotes.xml': wrong });
  await assert.rejects(readPage('a.docx', damaged), /word\/footnotes\.xml is damaged/);
});

test('documents of other programs are skipped with what to do', async () => {
  await assert.rejects(readPage('a.doc', '\xd0\xcf'), /save it as DOCX/);
  await assert.rejects(readPage('a.odt', 'PK\x03\x04'), /save it as DOCX or PDF/);
});

test('a package that is not installed has no address', () => {
  assert.equal(packageAddress('a-package-that-nobody-has'), undefined);
  assert.match(packageAddress('unpdf')!, /^file:.*unpdf/);
});
