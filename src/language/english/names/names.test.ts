import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findNames } from './names.ts';

const names = (text: string): string[] => findNames(text).map(name => name.text);

test('a run of capitalised words is one name, joining words included', () => {
  assert.deepEqual(names('Today Sam Altman met the Bank of England in New York.'), [
    'Sam Altman',
    'Bank of England',
    'New York',
  ]);
});

test('possessives, days, months and sentence openers are not part of a name', () => {
  assert.deepEqual(
    names('According to OpenAI’s board, Monday was quiet. In October Apple’s chief said so.'),
    ['OpenAI', 'Apple'],
  );
  assert.deepEqual(names('The The And If'), []);
});

test('offsets exclude the possessive', () => {
  const text = 'She wrote of Dunmarrow Drives’s motors.';
  const [name] = findNames(text);
  assert.equal(text.slice(name!.start, name!.end), 'Dunmarrow Drives');
});

test('for any text: names are slices of it, in order, without overlap', () => {
  const word = fc.oneof(
    fc.constantFrom('Ada', 'of', 'the', 'O’Neill', 'IBM', 'March', "Bob's", '-X', 'É', '𝔸'),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(
      fc.array(word).map(parts => parts.join(' ')),
      text => {
        let at = 0;
        for (const { text: name, start, end } of findNames(text)) {
          assert.equal(text.slice(start, end), name);
          assert.ok(start >= at && end > start);
          at = end;
        }
      },
    ),
  );
});
