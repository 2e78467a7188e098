/** Tests PDF and DOCX: blocks and pages, files that cannot be read, and the thread of both. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { Isolated, packageAddress, runIsolated } from '../src/edges/formats/isolated.ts';
import { readPage } from './format-blocks.ts';

/** A line of a page: font size, distance below the line above, text. */
type Line = readonly [size: number, down: number, text: string];

/** Returns a PDF of these pages. */
function pdfOf(pages: readonly (readonly Line[])[], info: string = ''): Uint8Array {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, at) => `${5 + 2 * at} 0 R`).join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    `<<${info}>>`,
    ...pages.flatMap((lines, at) => {
      const shown = lines.map(([size, down, text]) => `/F1 ${size} Tf 0 -${down} Td (${text}) Tj`);
      const stream = `BT 50 780 Td ${shown.join(' ')} ET`;
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 3 0 R>>>>/Contents ${6 + 2 * at} 0 R>>`,
        `<</Length ${stream.length}>>stream\n${stream}\nendstream`,
      ];
    }),
  ];
  let out = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = out.length;
    out += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  out += `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  const at = out.lastIndexOf('xref');
  return Buffer.from(
    `${out}trailer<</Size ${size}/Root 1 0 R/Info 4 0 R>>\nstartxref\n${at}\n%%EOF`,
    'latin1',
  );
}

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
      [9, 600, '1'],
    ],
    [
      RUNNING,
      [10, 30, 'goes on here.'],
      [10, 24, '- an item'],
      [10, 12, '- another'],
      [9, 600, '2'],
    ],
    [RUNNING, [16, 30, 'Other things'], [10, 30, 'The end.'], [9, 600, '3']],
    [RUNNING, [9, 600, '4']],
  ];
  const document = await readPage(
    'a.pdf',
    pdfOf(pages, '/Author(Jane Roe)/CreationDate(D:20240102)'),
  );
  assert.equal(document.title, 'Server manual');
  assert.deepEqual(document.metadata, {
    author: 'Jane Roe',
    published_at: '2024-01-02',
    pages: 4,
  });
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

/** Returns a zip archive of files that are stored as they are. */
function zipOf(files: Readonly<Record<string, string>>): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(text);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt32LE(crc32(data), 10);
    head.writeUInt32LE(data.length, 14);
    head.writeUInt32LE(data.length, 18);
    head.writeUInt16LE(name.length, 22);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), head, entry, Buffer.from(name));
    const local = Buffer.concat([
      Buffer.from('PK\x03\x04', 'latin1'),
      head,
      Buffer.from(name),
      data,
    ]);
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

const paragraph = (text: string, style: string = ''): string =>
  `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;

/** Returns a Word document with this body. */
function docxOf(body: string): Uint8Array {
  const styles = ['Title', 'Heading1']
    .map(
      id =>
        `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id.replace('g1', 'g 1')}"/></w:style>`,
    )
    .join('');
  const main = 'http://schemas.openxmlformats.org';
  const word = `xmlns:w="${main}/wordprocessingml/2006/main"`;
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${main}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${main}/package/2006/relationships"><Relationship Id="r1" Type="${main}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${main}/package/2006/relationships"><Relationship Id="r2" Type="${main}/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`,
    'word/styles.xml': `<w:styles ${word}>${styles}</w:styles>`,
    'word/document.xml': `<w:document ${word}><w:body>${body}</w:body></w:document>`,
  });
}

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

test('documents of other programs are skipped with what to do', async () => {
  await assert.rejects(readPage('a.doc', '\xd0\xcf'), /save it as DOCX/);
  await assert.rejects(readPage('a.odt', 'PK\x03\x04'), /save it as DOCX or PDF/);
});

async function messages<T>(running: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of running) all.push(each);
  return all;
}

const LIBRARY = 'node:path';

test('a thread gives messages in their order, and the error of its task', async () => {
  const counted = runIsolated<number>(
    async (_, bytes, post) => {
      for (const byte of bytes) post(byte);
    },
    LIBRARY,
    Uint8Array.of(3, 1, 2),
  );
  assert.deepEqual(await messages(counted), [3, 1, 2]);
  const failing = runIsolated<number>(
    async () => {
      throw new RangeError('no such page');
    },
    LIBRARY,
    new Uint8Array(0),
  );
  await assert.rejects(messages(failing), { name: 'RangeError', message: 'no such page' });
});

test('a thread that hangs is ended, after the messages it gave', async () => {
  const seen: number[] = [];
  const hanging = async (): Promise<void> => {
    const running = runIsolated<number>(
      async (_, __, post) => {
        post(1);
        await new Promise(resolve => setTimeout(resolve, 50));
        for (;;);
      },
      LIBRARY,
      new Uint8Array(0),
      1500,
    );
    for await (const each of running) seen.push(each);
  };
  await assert.rejects(
    hanging(),
    error => error instanceof Isolated && /1\.5 s/.test(error.message),
  );
  assert.deepEqual(seen, [1]);
});

test('a thread that needs too much memory ends alone', async () => {
  const greedy = runIsolated<number>(
    async () => {
      const kept: number[][] = [];
      for (;;) kept.push(Array.from({ length: 100_000 }, (_, at) => at / 3));
    },
    LIBRARY,
    new Uint8Array(0),
  );
  await assert.rejects(
    messages(greedy),
    error => error instanceof Isolated && /memory/.test(error.message),
  );
});

test('a package that is not installed has no address', () => {
  assert.equal(packageAddress('a-package-that-nobody-has'), undefined);
  assert.match(packageAddress('unpdf')!, /^file:.*unpdf/);
});
