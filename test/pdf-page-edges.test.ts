/** Tests what goes at the edges of the pages of a PDF, and that content stays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_LIMITS, memorySource } from '../src/documents/files/source.ts';
import type { DetectedFormat } from '../src/documents/format.ts';
import { numberings } from '../src/documents/formats/pdf/page-numbers.ts';
import { pdf } from '../src/documents/formats/pdf/pdf.ts';
import { type Placed, pdfOfPlaced } from './office-files.ts';

type Read = Extract<DetectedFormat, { type: 'document' }>;

async function read(pages: readonly (readonly Placed[])[]): Promise<Read> {
  for await (const found of pdf.read(memorySource('a.pdf', pdfOfPlaced(pages)), DEFAULT_LIMITS))
    if (found.type === 'document') return found;
    else throw new Error(found.reason);
  throw new Error('nothing was read');
}

const textOf = async (pages: readonly (readonly Placed[])[]): Promise<string> =>
  (await read(pages)).document.text;

const NAMES = ['Ann', 'Bob', 'Cid', 'Dan', 'Eve', 'Fay', 'Gus', 'Hal'];

/** Returns pages of a few lines with what `around` adds to each, whose number begins at 1. */
const pagesWith = (around: (page: number) => readonly Placed[]): Placed[][] =>
  NAMES.map((name, at) => [
    [60, 700, 11, `The berth of ${name} lies on the quay.`],
    [60, 686, 11, `The boat of ${name} is seven metres long.`],
    [60, 672, 11, `It was built by ${name} alone.`],
    ...around(at + 1),
  ]);

/** Returns how often a text occurs. */
const countOf = (text: string, part: string): number => text.split(part).length - 1;

const RUNNING: readonly (readonly [string, (page: number) => readonly Placed[]])[] = [
  ['a head on every page', () => [[60, 780, 9, 'Harbour rules']]],
  ['a head from the second page', page => (page < 2 ? [] : [[60, 780, 9, 'Harbour rules']])],
  [
    'heads of left and right pages',
    page => [[page % 2 ? 60 : 400, 780, 9, page % 2 ? 'Harbour rules' : 'Town of Arlem']],
  ],
  [
    'two rows at the foot',
    () => [
      [60, 52, 9, 'Harbour rules'],
      [60, 40, 9, 'Town of Arlem'],
    ],
  ],
  ['a number', page => [[300, 40, 9, `${page}`]]],
  ['a number with signs', page => [[300, 40, 9, `- ${page + 7} -`]]],
  ['a number of all', page => [[300, 40, 9, `Page ${page} of 8`]]],
  ['a number in German', page => [[300, 40, 9, `Seite ${page} von 8`]]],
  [
    'roman numbers',
    page => [[300, 40, 9, ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii'][page - 1]!]],
  ],
  ['a head with the number of the page', page => [[60, 780, 9, `Harbour rules, page ${page}`]]],
  [
    'a head beside a number',
    page => [
      [60, 780, 9, 'Harbour rules'],
      [500, 780, 9, `${page}`],
    ],
  ],
];

for (const [what, around] of RUNNING)
  test(`goes: ${what}`, async () => {
    const text = await textOf(pagesWith(around));
    for (const name of NAMES) assert.match(text, new RegExp(`built by ${name} alone`));
    assert.ok(countOf(text, 'Harbour rules') <= 1 && countOf(text, 'Town of Arlem') <= 1, text);
    assert.doesNotMatch(
      text,
      /(?:^|\n|page |Page |Seite )-? ?(?:\d+|[ivx]+) ?(?:-|of 8|von 8)?(?:\n|$)/,
    );
  });

const CONTENT: readonly (readonly [string, (page: number) => readonly Placed[]])[] = [
  ['amounts below the text', page => [[60, 40, 11, `${page * 17 + 250}`]]],
  ['equal amounts below the text', page => [[60, 40, 11, `Fee ${page % 3 === 0 ? 15 : 23} euros`]]],
  ['a line of the text that is equal on all pages', () => [[60, 658, 11, 'Paid in full.']]],
  [
    'a balance with its label',
    page => [
      [60, 40, 11, 'Balance'],
      [400, 40, 11, `${page * 31}`],
    ],
  ],
  ['exercises that count up', page => [[60, 780, 11, `Exercise ${page}`]]],
  ['large numbers of chapters', page => [[60, 780, 24, `${page}`]]],
  ['padded numbers', page => [[60, 780, 11, `000${page}`]]],
  ['numbers at several places', page => [[60 + page * 9, 780 - page * 9, 11, `${page}`]]],
  [
    'titles of roman letters',
    page => [[60, 780, 11, ['CIVIL', 'MIX', 'DC', 'LCD', 'MILL', 'VIM', 'CV', 'CD'][page - 1]!]],
  ],
  ['numbers in fonts of other heights', page => [[60, 780, 8 + page * 0.5, `${page}`]]],
];

for (const [what, around] of CONTENT)
  test(`stays: ${what}`, async () => {
    const { document, words } = await read(pagesWith(around));
    assert.deepEqual(words, { kept: words!.visible, visible: words!.visible });
    for (const [, , , text] of NAMES.flatMap((_, at) => around(at + 1)))
      assert.ok(`${document.title}\n${document.text}`.includes(text), text);
  });

test('a number alone that is higher than the page stays, and a note says so', async () => {
  const { document, notes } = await read(pagesWith(page => [[300, 40, 9, `${page + 499}`]]));
  for (const at of NAMES.keys())
    assert.match(document.text, new RegExp(`(?:^|\\s)${500 + at}\\s*`));
  assert.deepEqual(notes, [
    'numbers at the edges of pages stay, which may be those of pages: 500 to 507',
  ]);
  const headed = await read(
    pagesWith(page => [
      [60, 780, 9, 'Harbour rules'],
      [500, 780, 9, `${page + 499}`],
    ]),
  );
  assert.doesNotMatch(headed.document.text, /50[1-9]/);
});

test('two thousand pages that differ in a number are kept', async () => {
  const pages = Array.from({ length: 2000 }, (_, at): Placed[] => [
    [60, 700, 11, 'Ticket'],
    [60, 400, 11, `${at + 1}`],
  ]);
  const text = await textOf(pages);
  assert.equal(countOf(text, 'Ticket'), 2000);
  assert.match(text, /(?:^|\s)1999(?:\s|$)/);
});

test('what went is counted and named', async () => {
  const { words, notes } = await read(
    pagesWith(page => [
      [60, 780, 9, 'Harbour rules'],
      [300, 40, 9, `${page}`],
    ]),
  );
  assert.deepEqual(notes, [
    'left out at the edges of pages: 8 page numbers, "Harbour rules" 7 times',
  ]);
  assert.equal(words!.visible - words!.kept, 8 + 2 * 7);
});

test('a number of a page is a number alone, beside the word for a page, or of all pages', () => {
  const yes = [
    '3',
    '- 3 -',
    '[3]',
    'Page 3',
    'page 3/9',
    '3 of 9',
    '3 / 9',
    'Seite 3',
    'p. 3',
    '第3页',
    '第 3 頁',
    '3쪽',
    'A, page 3',
    'iii',
    'стр. 3',
    'Página 3 de 9',
  ];
  const no = [
    '',
    'Fee 3',
    'Fee 3 euros',
    '3 euros',
    '03',
    '3.5',
    'A-3',
    'mix',
    'Exercise 3',
    '3rd',
    '$3',
    '3 %',
    'v. Jones',
  ];
  for (const text of yes) assert.equal([...numberings(text, 1)].length, 1, text);
  for (const text of no) assert.equal([...numberings(text, 1)].length, 0, text);
});
