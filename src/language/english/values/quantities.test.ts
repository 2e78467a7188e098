/** Tests values as quantities: units, versions, days, words, and their order. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  asVersion,
  compareQuantities,
  type Dimension,
  quantityOf,
  sameQuantity,
} from './quantities.ts';

const READ: readonly (readonly [text: string, dimension: Dimension, ...parts: number[]])[] = [
  ['75', 'number', 75],
  ['1,048,576', 'number', 1048576],
  ['20_000', 'number', 20000],
  ['five', 'number', 5],
  ['2 retries', 'number', 2],
  ['2 retries (3 attempts in total)', 'number', 2],
  ['75 seconds', 'time', 75],
  ['1500 ms', 'time', 1.5],
  ['two minutes', 'time', 120],
  ['72000 (72 seconds)', 'time', 72],
  ['1 hour', 'time', 3600],
  ["'100kb'", 'bytes', 102400],
  ['1 MiB', 'bytes', 1048576],
  ['1048576 bytes', 'bytes', 1048576],
  ['1048576 (1MiB)', 'bytes', 1048576],
  ['two megabytes', 'bytes', 2097152],
  ['1024**2', 'number', 1048576],
  ['10 * 1024', 'number', 10240],
  ['3.10.1', 'version', 3, 10, 1],
  ['v2.3.x', 'version', 2, 3],
  ['2022-06-08', 'date', 2022, 6, 8],
  ['true', 'truth', 1],
  ['disabled', 'truth', 0],
];

describe('quantityOf', () => {
  for (const [text, dimension, ...parts] of READ)
    test(text, () => {
      const read = quantityOf(text);
      assert.equal(read?.dimension, dimension);
      assert.deepEqual(
        read?.parts.map(part => Math.round(part * 1e6) / 1e6),
        parts,
      );
    });
  test('other texts are words, without case and marks', () => {
    assert.equal(quantityOf('"Lax"')?.word, 'lax');
    assert.equal(quantityOf('None')?.dimension, 'word');
    assert.equal(quantityOf(' ?! '), undefined);
  });
});

const order = (a: string, b: string): number | undefined =>
  compareQuantities(quantityOf(a)!, quantityOf(b)!);

test('quantities of one dimension are ordered by their units', () => {
  assert.equal(order('1 minute', '59 seconds'), 1);
  assert.equal(order('60 seconds', '1 minute'), 0);
  assert.equal(order('100kb', '1 MiB'), -1);
  assert.equal(order('2020-07-07', '2020-06-30'), 1);
  assert.equal(compareQuantities(asVersion('3.9')!, asVersion('3.10')!), -1);
  assert.equal(compareQuantities(asVersion('18')!, asVersion('v18.0')!), 0);
});

test('other dimensions have no order and are neither the same nor different', () => {
  for (const [a, b] of [
    ['10', '10 seconds'],
    ['1 MB', '1 minute'],
    ['Lax', '5'],
  ] as const) {
    assert.equal(order(a, b), undefined);
    assert.equal(sameQuantity(quantityOf(a)!, quantityOf(b)!), undefined);
  }
  assert.equal(order('Lax', 'Strict'), undefined);
  assert.equal(sameQuantity(quantityOf('Lax')!, quantityOf('Strict')!), false);
  assert.equal(sameQuantity(quantityOf('Lax')!, quantityOf('"lax"')!), true);
});

test('any text is read without throwing, and equals itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), text => {
      const read = quantityOf(text);
      if (read) assert.equal(sameQuantity(read, read), true);
    }),
  );
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (a, b) => {
      assert.equal(order(`${a} seconds`, `${b} seconds`), Math.sign(a - b));
      assert.equal(order(`${a} kb`, `${b} kb`), Math.sign(a - b));
    }),
  );
});
