/** Tests that columns drawn row by row are read one after another, and tables are not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inReadingOrder } from '../src/documents/formats/pdf/columns.ts';
import type { PdfCell, PdfLine } from '../src/documents/formats/pdf/lines.ts';
import { readPage } from './format-blocks.ts';
import { type Placed, pdfOfPlaced } from './office-files.ts';

const LEFT = [
  'The harbour of Arlem was built',
  'by hand in the year 1512, when',
  'the river still ran past the old',
  'walls of the town. Later it had',
  'to be moved to the west.',
];
const MIDDLE = [
  'A tower was added to it by the',
  'guild of weavers. It burned down',
  'twice and stands in ruins since',
  'then. The keepers of the tower',
  'lived in a house of wood.',
];
const RIGHT = [
  'No ship may enter the harbour at',
  'night without a pilot, since the',
  'sands move after each storm of',
  'the winter. A pilot is paid by',
  'the length of the ship.',
];
const WIDTH = 200;

/** Draws columns row by row. */
const rowsOf = (columns: readonly (readonly string[])[], top: number, lower = 0): Placed[] =>
  columns[0]!.flatMap((_, row) =>
    columns.flatMap((lines, column): Placed[] =>
      lines[row] === undefined || lines[row] === ''
        ? []
        : [[50 + column * WIDTH, top - row * 12 - column * lower, 10, lines[row]]],
    ),
  );

const textOf = async (texts: readonly Placed[]): Promise<string> =>
  (await readPage('a.pdf', pdfOfPlaced([texts]))).text.replace(/\s+/g, ' ');

test('two and three columns are read one after another', async () => {
  for (const columns of [
    [LEFT, RIGHT],
    [LEFT, MIDDLE, RIGHT],
    [LEFT, MIDDLE.slice(0, 3)],
  ])
    assert.equal(await textOf(rowsOf(columns, 700)), columns.flat().join(' '));
});

test('so are columns whose lines stand on heights of their own', async () => {
  assert.equal(await textOf(rowsOf([LEFT, RIGHT], 700, 4)), [...LEFT, ...RIGHT].join(' '));
});

test('titles and figures across all columns part them', async () => {
  const text = await textOf([
    [50, 760, 20, 'The harbour of Arlem'],
    ...rowsOf([LEFT, MIDDLE], 720),
    [50, 640, 10, 'What the town council of Arlem decided in the years that followed the storm'],
    ...rowsOf([RIGHT, LEFT], 610),
    ...rowsOf([MIDDLE.slice(0, 2), RIGHT.slice(0, 2)], 400),
  ]);
  assert.ok(text.includes([...LEFT, ...MIDDLE].join(' ')), text);
  assert.ok(text.includes([...RIGHT, ...LEFT].join(' ')), text);
  assert.ok(text.endsWith([...MIDDLE.slice(0, 2), ...RIGHT.slice(0, 2)].join(' ')), text);
});

test('columns that the page draws one after another stay as they are', async () => {
  const columns = [LEFT, RIGHT].flatMap((lines, column) =>
    lines.map((text, row): Placed => [50 + column * WIDTH, 700 - row * 12, 10, text]),
  );
  assert.equal(await textOf(columns), [...LEFT, ...RIGHT].join(' '));
});

/** Rows of cells, whose text must stay together. */
const TABLES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'of names and numbers': [
    ['Berth', 'Length', 'Fee'],
    ['North', '9 m', '12'],
    ['South', '7 m', '15'],
    ['West', '12 m', '20'],
  ],
  'of several words a cell': [
    ['Pump of the north dock', 'Runs on diesel only', 'Built in the year 1990'],
    ['Crane of the west dock', 'Runs on steam and oil', 'Built in the year 1912'],
    ['Lock of the old river', 'Opened by hand today', 'Built in the year 1880'],
    ['Gate of the town wall', 'Closed since the war', 'Built in the year 1512'],
  ],
  'in lower case': [
    ['pump runs too hot', 'let it cool for some hours'],
    ['valve is stuck', 'close the inlet and turn the valve by hand.'],
    ['oil is low', 'fill it up'],
    ['no power at the dock', 'call the keeper of the harbour'],
  ],
  'of sentences': [
    ['The pump is hot.', 'Let it cool for an hour.'],
    ['The valve is shut.', 'Open it by hand.'],
    ['The oil is low.', 'Fill it up to the mark.'],
  ],
  'of sentences that fill several lines': [
    ['The pump is too hot to', 'Let it cool for an hour and'],
    ['run.', 'start it again.'],
    ['The valve is closed and', 'Open it by hand and wait'],
    ['stuck.', 'for the pilot.'],
    ['The oil is below the red', 'Fill it up to the mark and'],
    ['mark.', 'close the lid.'],
  ],
  'of names with descriptions': [
    ['--depth', 'sets how deep the harbour is at the'],
    ['', 'lowest tide of the year.'],
    ['--width', 'sets how wide it is at the mouth of'],
    ['', 'the river. It is seldom needed.'],
  ],
  'of statements': [
    ['keep(x)', 'keeps the value of x until it is'],
    ['drop(x, y)', 'drops both values. The first is'],
    ['swap(x, y)', 'swapped before it goes on to the'],
  ],
};

/** Rows as they are printed where they are not those that are drawn. */
const PRINTED: Readonly<Record<string, readonly string[]>> = {
  'of sentences that fill several lines': [
    'The pump is too hot to run. | Let it cool for an hour and start it again.',
    'The valve is closed and stuck. | Open it by hand and wait for the pilot.',
    'The oil is below the red mark. | Fill it up to the mark and close the lid.',
  ],
  // Two rows are no table.
  'of names with descriptions': [
    '--depth sets how deep the harbour is at the lowest tide of the year. --width sets how wide it is at the mouth of the river. It is seldom needed.',
  ],
};

for (const [what, rows] of Object.entries(TABLES))
  test(`tables ${what} are read row by row`, async () => {
    const columns = rows[0]!.map((_, at) => rows.map(row => row[at]!));
    const { text } = await readPage('a.pdf', pdfOfPlaced([rowsOf(columns, 700)]));
    const shown = PRINTED[what] ?? rows.map(row => row.join(' | '));
    assert.deepEqual(text.split('\n\n'), shown);
  });

const FEES = [
  ['Berth', 'Length', 'Fee'],
  ['North', '9 m', '12'],
  ['South', '7 m', '15'],
  ['West', '12 m', '20'],
];
const printed = async (texts: readonly Placed[]): Promise<string[]> =>
  (await readPage('a.pdf', pdfOfPlaced([texts]))).text.split('\n\n');
const columnsOf = (rows: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  rows[0]!.map((_, at) => rows.map(row => row[at]!));

test('a cell of several lines is read to its end, and text around a table stays as it is', async () => {
  const options = [
    ['--depth', 'sets how deep the harbour is at the'],
    ['', 'lowest tide of the year.'],
    ['--width', 'sets how wide it is.'],
    ['--pilot', 'calls for a pilot.'],
  ];
  const text = await printed([
    [
      50,
      760,
      10,
      'The options of the program that plans the harbour are these, from the first to the last:',
    ],
    ...rowsOf(columnsOf(options), 720),
    [50, 640, 10, 'All of them may be left out.'],
  ]);
  assert.deepEqual(text, [
    'The options of the program that plans the harbour are these, from the first to the last:',
    '--depth | sets how deep the harbour is at the lowest tide of the year.',
    '--width | sets how wide it is.',
    '--pilot | calls for a pilot.',
    'All of them may be left out.',
  ]);
});

test('columns may be set flush right or centred', async () => {
  // A glyph of this font is about half as wide as it is high.
  const set = (share: number): Placed[] =>
    FEES.flatMap((row, at) =>
      row.map(
        (text, column): Placed => [
          100 + column * WIDTH - Math.round(text.length * 5 * share),
          700 - at * 12,
          10,
          text,
        ],
      ),
    );
  for (const share of [0, 0.5, 1])
    assert.deepEqual(
      await printed(set(share)),
      FEES.map(row => row.join(' | ')),
    );
});

test('a first row in a font of its own names the columns', async () => {
  const rows = rowsOf(columnsOf(FEES), 700).map(
    ([x, y, size, text]): Placed => [x, y, y === 700 ? size + 1 : size, text],
  );
  assert.deepEqual(await printed(rows), [
    'Berth: North | Length: 9 m | Fee: 12',
    'Berth: South | Length: 7 m | Fee: 15',
    'Berth: West | Length: 12 m | Fee: 20',
  ]);
});

const NO_TABLES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'items of a list': [
    ['a)', 'The pump is hot.'],
    ['b)', 'The valve is shut.'],
    ['c)', 'The oil is low.'],
  ],
  'lines with numbers': [
    ['1', 'The pump of the dock was'],
    ['2', 'built in the year 1912. It'],
    ['3', 'has never failed.'],
  ],
  'two rows': [
    ['North', '9 m'],
    ['South', '7 m'],
  ],
  'entries of a table of contents': [
    ['Pumps . . . . . .', '1'],
    ['Valves . . . . . .', '12'],
    ['Oil . . . . . .', '20'],
  ],
};

for (const [what, rows] of Object.entries(NO_TABLES))
  test(`${what} are no table`, async () => {
    for (const text of await printed(rowsOf(columnsOf(rows), 700))) assert.ok(!text.includes('|'));
  });

/** Returns lines of cells, row by row, each glyph as wide as its font is high. */
const linesOf = (columns: readonly (readonly string[])[]): PdfLine[] =>
  columns[0]!.map((_, row) => {
    const cells = columns.map((lines, column): PdfCell => {
      const x = 50 + column * 400;
      return { text: lines[row]!, x, end: x + lines[row]!.length * 10 };
    });
    const text = cells.map(cell => cell.text).join(' ');
    const { x } = cells[0]!;
    const { end } = cells.at(-1)!;
    return { text, x, end, y: 700 - row * 14, size: 10, font: 'a', angle: 0, page: 1, cells };
  });

const SCRIPTS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  Chinese: [
    [
      '每天晚上系統會自動備份資料庫',
      '並把檔案送到另一台伺服器保存',
      '以免資料遺失。管理員可以隨時',
      '查看備份的記錄。',
    ],
    [
      '港口的燈塔建於一九一二年由當',
      '地的漁民共同出資興建。後來在',
      '一場大火中燒毀並於次年重建',
      '至今仍在使用。',
    ],
  ],
  German: [
    [
      'Der Hafen der Stadt wurde',
      'Anfang des Jahres von den',
      'Bürgern erweitert. Seitdem',
      'legen dort große Schiffe an.',
    ],
    [
      'Die Gebühr für Liegeplätze',
      'Richtung Westen beträgt im',
      'Sommer das Doppelte, weil',
      'viele Gäste kommen.',
    ],
  ],
};

for (const [script, columns] of Object.entries(SCRIPTS))
  test(`columns of ${script} are read one after another`, () => {
    const read = inReadingOrder(linesOf(columns)).map(({ text }) => text);
    assert.deepEqual(read, columns.flat());
  });

test('columns of Hebrew are read from the right', () => {
  const columns = [
    ['הנמל של העיר נבנה לפני שנים', 'רבות על ידי הדייגים. מאז הוא', 'משמש את כל תושבי האזור.'],
    ['המגדל נשרף פעמיים ועומד עד', 'היום ליד החומה. שומר המגדל', 'גר בבית עץ קטן.'],
  ];
  const read = inReadingOrder(linesOf(columns)).map(({ text }) => text);
  assert.deepEqual(read, columns.toReversed().flat());
});
