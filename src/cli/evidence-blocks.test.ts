/** Blocks of evidence as a terminal shows them: one below the other, or in columns. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import type { ShownBlock } from '../session/shown-evidence.ts';
import { blockLines } from './evidence-blocks.ts';
import { styleOf } from './style.ts';

const block = (side: string | undefined, number: number, text: string): ShownBlock => {
  const marks = [[0, text.length]] as const;
  const texts = [{ start: 0, end: text.length, text, marks }];
  const articles = [
    { documentId: `d${number}`, title: `On ${number}`, number, hops: [1], cited: false, texts },
  ];
  return side === undefined ? { articles } : { side, articles };
};
const LONG = `see ${'folder/'.repeat(16)}file.md for more`;
const blocks = [
  block('Flask', 1, 'The port is 5000.'),
  block('gunicorn', 2, LONG),
  block(undefined, 3, 'Both need one.'),
];
const page = { style: styleOf(false), width: 60 };

test('evidence that compares nothing has no heads', () =>
  assert.deepEqual(blockLines(blocks.slice(2), page), [
    '   3. On 3 (hop 1)',
    '    » Both need one.',
  ]));

test('sides stand one below the other on a terminal of fewer than 120 columns', () => {
  for (const columns of [undefined, 60, 119])
    assert.deepEqual(
      blockLines(blocks, { ...page, columns }).map(line => line.trim()),
      [
        ...['Flask', '1. On 1 (hop 1)', '» The port is 5000.', 'gunicorn', '2. On 2 (hop 1)'],
        ...['» see', `» ${'folder/'.repeat(16)}file.md`, '» for more'],
        ...['Other evidence', '3. On 3 (hop 1)', '» Both need one.'],
      ],
    );
});

test('sides stand in columns on a wide terminal, and no row leaves its column', () => {
  const lines = blockLines(blocks, { ...page, columns: 123 });
  assert.ok(lines.every(line => line.length <= 123));
  const paired = lines.filter(line => line.includes(' │'));
  assert.ok(paired.every(line => line.indexOf(' │') === 60));
  assert.match(paired[0]!, /^ {2}Flask +│ {3}gunicorn$/);
  const right = paired.map(line => line.slice(63).replace('»', '').trim());
  assert.equal(right.slice(2).join('').replaceAll(' ', ''), LONG.replaceAll(' ', ''));
  assert.deepEqual(lines.slice(paired.length), [
    '  Other evidence',
    '   3. On 3 (hop 1)',
    '    » Both need one.',
  ]);
});

test('styles end with each row of a column', () => {
  const plain = blockLines(blocks, { ...page, columns: 123 });
  const styled = blockLines(blocks, { style: styleOf(true), width: 60, columns: 123 });
  assert.deepEqual(styled.map(stripVTControlCharacters), plain);
  for (const line of styled) {
    const count = (code: number): number => line.split(`\u001b[${code}m`).length;
    assert.equal(count(1) + count(2) - 1, count(22), line);
  }
});
