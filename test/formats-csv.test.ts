/** Tests what rows of separated values become: separators, headers, quotes, other lengths. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { Document } from '../src/core/corpus/document.ts';
import { readDocuments } from '../src/documents/read-documents.ts';
import { type CsvLine, cellsOf, csvParser, csvRows } from '../src/documents/records/csv-rows.ts';
import { freshFolder } from './fresh-folder.ts';

const folder = freshFolder();

interface Read {
  readonly documents: Document[];
  readonly skipped: string[];
  readonly notes: string[];
}

async function read(name: string, content: string): Promise<Read> {
  const path = join(folder, name);
  writeFileSync(path, content);
  const found: Read = { documents: [], skipped: [], notes: [] };
  for await (const event of readDocuments([path]))
    if (event.type === 'document') {
      found.documents.push(event.document);
      found.notes.push(...(event.notes ?? []));
    } else found.skipped.push(`${event.line}: ${event.reason}`);
  return found;
}

const textsOf = ({ documents }: Read): string[] => documents.map(({ text }) => text);

describe('a stray quote costs no other row', () => {
  const cases: Record<string, readonly [name: string, content: string, texts: readonly string[]]> =
    {
      'inside a cell': ['a.tsv', 'id\ttext\n1\tA 9" nail\n2\tx\n', ['A 9" nail', 'x']],
      'around the first word': [
        'a.tsv',
        'id\ttext\n1\t"Bolt" is short\n2\tx\n',
        ['"Bolt" is short', 'x'],
      ],
      'open to the end': ['a.csv', 'id,text\n1,"open\n2,x\n3,y\n', ['"open', 'x', 'y']],
      'open, and another row is quoted': [
        'a.csv',
        'id,text\n1,"open\n2,"x, y"\n3,z\n',
        ['"open', 'x, y', 'z'],
      ],
      'open, and a later quote would close it': [
        'a.tsv',
        'id\ttext\tx\n1\t"open\tb\n2\tc\td"\n3\ty\tz\n',
        ['"open', 'c', 'y'],
      ],
      'open behind a cell with a separator': [
        'a.csv',
        'title,text\n"a, b","open\nc,d\n',
        ['"open', 'd'],
      ],
      'open in two rows': [
        'a.csv',
        'id,text\n1,"one\n2,"two\n3,three\n',
        ['"one', '"two', 'three'],
      ],
      'in a cell of several lines': [
        'a.csv',
        'id,text\n1,"one\n\ntwo ""x"" end"\n2,y\n',
        ['one\n\ntwo "x" end', 'y'],
      ],
    };
  for (const [title, [name, content, texts]] of Object.entries(cases))
    test(title, async () => assert.deepEqual(textsOf(await read(name, content)), texts));

  test('which a note says', async () => {
    const { notes } = await read('a.csv', 'id,text\n1,"open\n2,x\n');
    assert.match(notes.join(), /quote that is never closed/);
    assert.deepEqual((await read('a.csv', 'id,text\n1,"a ""b"""\n')).notes, []);
  });
});

describe('separators are recognised', () => {
  for (const [title, name, content] of [
    ['a semicolon', 'a.csv', 'id;text;price\n1;A bolt, short;2,5\n2;x;3\n'],
    ['a tab', 'a.csv', 'id\ttext\tprice\n1\tA bolt, short\t2,5\n2\tx\t3\n'],
    ['a bar', 'a.csv', 'id|text|price\n1|A bolt, short|2,5\n2|x|3\n'],
    ['a comma in TSV', 'a.tsv', 'id,text,price\n1,"A bolt, short","2,5"\n2,x,3\n'],
    ['the one that Excel states', 'a.csv', 'sep=;\nid;text;price\n1;A bolt, short;2,5\n2;x;3\n'],
    ['line ends of Windows', 'a.csv', 'id;text;price\r\n1;A bolt, short;2,5\r\n2;x;3\r\n'],
    ['line ends of old Macintosh', 'a.csv', 'id;text;price\r1;A bolt, short;2,5\r2;x;3\r'],
  ] as const)
    test(title, async () => {
      const { documents, skipped } = await read(name, content);
      assert.deepEqual(skipped, []);
      assert.deepEqual(documents[0], {
        id: '1',
        title: '',
        text: 'A bolt, short',
        metadata: { price: '2,5' },
      });
      assert.equal(documents[1]!.text, 'x');
    });
});

describe('headers', () => {
  test('name known columns in capitals too, others as they are', async () => {
    const { documents } = await read('a.csv', ' ID ,Title,TEXT,Made By\n7,T,words,Ann\n');
    assert.deepEqual(documents, [
      { id: '7', title: 'T', text: 'words', metadata: { 'Made By': 'Ann' } },
    ]);
    const twice = await read('a.csv', 'text,Text\na,b\n');
    assert.deepEqual(twice.documents[0]!.metadata, { Text: 'b' });
  });

  test('with an id and no text give records of all their columns', async () => {
    const { documents } = await read('a.csv', 'ID,Name,Age\n7,Ann Lee,31\n8,Bob Ray,40\n');
    assert.deepEqual(documents[0], {
      id: '7',
      title: '',
      text: 'Name: Ann Lee\nAge: 31',
      metadata: { Name: 'Ann Lee', Age: '31' },
    });
    assert.equal(documents.length, 2);
  });
});

describe('rows without text and id are a table, which is one document', () => {
  const cases: Record<string, readonly [content: string, text: string]> = {
    'with heads': ['Name,Age\nAnn,31\nBob,\n', 'Name: Ann | Age: 31\n\nName: Bob'],
    'with heads but for the first': [',load\na,1\n', 'a | load: 1'],
    'of numbers': ['1,2\n3,4\n', '1 | 2\n\n3 | 4'],
    'of sentences': [
      'A bolt is short.,3\nA nail is not.,4\n',
      'A bolt is short. | 3\n\nA nail is not. | 4',
    ],
    'of other lengths': ['Name,Age\nAnn,31,x\n', 'Name: Ann | Age: 31 | x'],
  };
  for (const [title, [content, text]] of Object.entries(cases))
    test(title, async () => {
      const { documents, skipped } = await read('sizes.csv', content);
      assert.deepEqual(skipped, []);
      assert.deepEqual(
        documents.map(document => [document.id, document.title, document.text]),
        [['sizes.csv', 'sizes', text]],
      );
      assert.equal(
        documents[0]!.outline!.every(({ kind }) => kind === 'table-row'),
        true,
      );
    });

  test('each row keeps its line', async () => {
    const { documents } = await read('a.csv', 'sep=;\nName;Age\n\nAnn;31\n"Bob\nRay";40\nCy;1\n');
    assert.deepEqual(
      documents[0]!.outline!.map(({ line }) => line),
      [4, 5, 7],
    );
  });
});

test('rows of other lengths are read, or named with their line', async () => {
  const lastText = await read('a.csv', 'id,text\n1,Bolts, nuts, nails\n2\n3,x,,\n');
  assert.deepEqual(textsOf(lastText), ['Bolts, nuts, nails', 'x,,']);
  assert.match(lastText.skipped.join(), /^3: no text/);
  const others = await read('a.csv', 'text,price\na,1,,\nb,2,3\nc\n');
  assert.deepEqual(textsOf(others), ['a', 'c']);
  assert.deepEqual(others.skipped, ['3: 3 cells under 2 headings']);
});

/** Returns the cells of all rows as the reader finds them. */
async function cellsIn(content: string, delimiter = ','): Promise<string[][]> {
  async function* lines(): AsyncGenerator<CsvLine, void, void> {
    for (const [at, text] of (content.match(/[^\n]*\n|[^\n]+$/g) ?? []).entries())
      yield { line: at + 1, text };
  }
  const parser = await csvParser(delimiter);
  const rows: string[][] = [];
  for await (const row of csvRows(lines(), delimiter, 1e6)) rows.push(cellsOf(row, parser));
  return rows;
}

test('valid files are read as csv-parse reads them whole', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ' ', '"', ',', '\n', 'é'), maxLength: 6 });
  const table = fc
    .integer({ min: 1, max: 3 })
    .chain(width =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }),
    );
  await fc.assert(
    fc.asyncProperty(table, async rows => {
      const quoted = rows.map(row => row.map(each => `"${each.replaceAll('"', '""')}"`).join());
      const content = `${quoted.join('\n')}\n`;
      assert.deepEqual(await cellsIn(content), parse(content));
    }),
  );
});

test('whatever the quotes are, every character but quotes and line ends is read', async () => {
  const noise = fc.string({ unit: fc.constantFrom('a', 'b', '"', ',', '\n', ' '), maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(noise, async content => {
      const letters = (text: string): string => text.replace(/[^ab]/g, '');
      assert.equal(letters((await cellsIn(content)).flat().join('')), letters(content));
    }),
    { numRuns: 1000 },
  );
});

test('a quote that is never closed takes no quadratic time', async () => {
  const open = `id,text\n1,"open\n${'2,x\n'.repeat(20_000)}`;
  const started = process.cpuUsage();
  assert.equal((await cellsIn(open)).length, 20_002);
  assert.equal((await cellsIn(`id,text\n${'1,"open\n'.repeat(20_000)}`)).length, 20_001);
  assert.ok(process.cpuUsage(started).user < 10e6);
});
