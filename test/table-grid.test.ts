/** Tests the grid of tables: cells that span rows and columns, rows of heads, and hostile sizes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type TableCell, TableGrid } from '../src/documents/blocks/table-grid.ts';

/** Reads "Name", "#Head", "x^2" (two columns), "xv3" (three rows). */
function cellOf(shown: string): TableCell {
  const [, head, text, columns = '1', rows = '1'] = /^(#?)(.*?)(?:\^(\d+))?(?:v(\d+))?$/.exec(
    shown,
  )!;
  return { text: text!, isHead: head === '#', columns: Number(columns), rows: Number(rows) };
}

function printed(rows: readonly string[]): string[] {
  const grid = new TableGrid();
  const found = rows.flatMap((row, line) => {
    if (row !== '=') return grid.row(row.split(' ').map(cellOf), line);
    grid.section();
    return [];
  });
  return [...found, ...grid.end()].map(({ kind, text }) => `${kind} ${text}`);
}

describe('a cell stands below each head that it covers', () => {
  const cases: Readonly<Record<string, readonly [rows: readonly string[], expected: string[]]>> = {
    'over two rows': [
      ['#Shop #Item #Cost', 'Eastv2 rope 4', 'tar 9', 'West rope 5'],
      [
        'Shop: East | Item: rope | Cost: 4',
        'Shop: East | Item: tar | Cost: 9',
        'Shop: West | Item: rope | Cost: 5',
      ],
    ],
    'over two columns': [
      ['#Shop #May #June', 'East closed^2'],
      ['Shop: East | May: closed | June: closed'],
    ],
    'over all columns': [
      ['#Shop #May', 'Islands^2', 'Holm 3'],
      ['Islands', 'Shop: Holm | May: 3'],
    ],
    'below heads of two rows': [
      ['#Shopv2 #Sales^2', '#May #June', 'East 3 4'],
      ['Shop: East | Sales May: 3 | Sales June: 4'],
    ],
    'below a head over two columns': [
      ['#Shop #Sales^2', 'East 3 t', 'West none^2'],
      ['Shop: East | Sales: 3 | Sales: t', 'Shop: West | Sales: none'],
    ],
    'over rows and columns': [
      ['#A #B #C', 'x^2v2 1', '2'],
      ['A: x | B: x | C: 1', 'A: x | B: x | C: 2'],
    ],
    'to the end of its section': [
      ['xv0 1', '2', '=', 'y 3'],
      ['x | 1', 'x | 2', 'y | 3'],
    ],
    'beside an empty corner': [[' #May #June', '#East 3 4'], ['East | May: 3 | June: 4']],
    'without heads': [
      ['x^2 1', 'y 2 3'],
      ['x | 1', 'y | 2 | 3'],
    ],
  };
  for (const [name, [rows, expected]] of Object.entries(cases))
    test(name, () =>
      assert.deepEqual(
        printed(rows),
        expected.map(row => `table-row ${row}`),
      ),
    );

  test('a head over the whole table is its caption, later heads name the rows below them', () =>
    assert.deepEqual(printed(['#Boats^2', '#Name #Year', 'Ann 1901', '#Port #Depth', 'Holm 9']), [
      'caption Boats',
      'table-row Name: Ann | Year: 1901',
      'table-row Port: Holm | Depth: 9',
    ]));

  test('a name beside its value is a definition, for each row that it spans', () =>
    assert.deepEqual(printed(['#Cargov2 tar', 'rope']), [
      'definition Cargo: tar',
      'definition Cargo: rope',
    ]));

  test('heads alone are rows', () =>
    assert.deepEqual(printed(['#A #B', '#C #D']), ['table-row A | B', 'table-row C | D']));
});

test('each text of a table is printed, and a table grows linearly whatever its spans', () => {
  const size = fc.oneof(fc.nat(3), fc.constantFrom(65_534, 1e9, -1, Number.NaN));
  const cell = fc.record({
    text: fc.stringMatching(/^[a-z]{1,9}$/),
    isHead: fc.boolean(),
    columns: size,
    rows: size,
  });
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 6 }), { maxLength: 30 });
  fc.assert(
    fc.property(rows, all => {
      const grid = new TableGrid();
      const found = [...all.flatMap((row, line) => grid.row(row, line)), ...grid.end()];
      const text = found.map(row => row.text).join('\n');
      const words = new Set(text.split(/[^a-z]+/));
      const stated = all.flat().map(each => each.text);
      // A repeated row of heads names the same columns.
      for (const word of stated) assert.ok(words.has(word), word);
      const held = stated.reduce((sum, { length }) => sum + length + 1, 0);
      assert.ok(text.length <= 250 * (held + 1), `${text.length} of ${held}`);
    }),
    { numRuns: 2000 },
  );
});

test('a hundred thousand rows below a thousand cells that span them take no minute', () => {
  const grid = new TableGrid();
  const long = Array.from({ length: 1000 }, () => ({ text: 'x'.repeat(100), rows: 65_534 }));
  let length = grid.row(long, 1).reduce((sum, { text }) => sum + text.length, 0);
  for (let line = 2; line < 100_000; line++)
    for (const { text } of grid.row([{ text: 'a', columns: 1000 }], line)) length += text.length;
  assert.ok(length < 20_000_000, String(length));
});
