import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  foldWhitespaceAndPunctuation,
  isBlank,
  normAlnum,
  normHotpot,
  normTitle,
  squash,
} from './normalise.ts';

test('normHotpot: lower case, no punctuation, no articles', () => {
  assert.equal(normHotpot('The Sam Bankman-Fried.'), 'sam bankmanfried');
  assert.equal(normHotpot('Sam Bankman-Fried'), 'sam bankmanfried');
});

test('normHotpot deletes ASCII punctuation only, and articles only as whole words', () => {
  assert.equal(normHotpot('an “A”  theatre,\tthe end'), '“ ” theatre end');
  assert.equal(normHotpot('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'), '');
  // The letter à is no word boundary; e and its accent compose.
  assert.equal(normHotpot('\u00e0a the\u0301'), '\u00e0a th\u00e9');
  assert.equal(normHotpot('The'), '');
});

test('normAlnum: runs of a to z and 0 to 9', () => {
  assert.equal(normAlnum('The Sam Bankman-Fried.'), 'the sam bankman fried');
  assert.equal(normAlnum('Café 9'), 'caf 9');
  assert.equal(normAlnum('...'), '');
});

test('normTitle deletes punctuation without a space in its place', () => {
  assert.equal(normTitle(' It’s a  Dog-eat-dog\nWorld '), 'its a dogeatdog world');
});

test('squash removes spaces and line feeds only', () => {
  assert.equal(squash('A b\n\tC\r'), 'Ab\tC\r');
});

test('a folded text contains a fact verbatim, but not inside words', () => {
  const found = (text: string, part: string): boolean =>
    foldWhitespaceAndPunctuation(text).includes(foldWhitespaceAndPunctuation(part));
  assert.ok(found('He said: “It’s\n\nover” - now.', "It's over"));
  assert.ok(!found('a party', 'art'));
  assert.ok(!found('a party', 'part'));
  assert.ok(!found('It is over', 'it is over'), 'case counts');
  assert.ok(!found('worth $5 billion', 'worth 5 billion'), 'a symbol counts');
  assert.equal(foldWhitespaceAndPunctuation(' - '), ' ');
  assert.equal(foldWhitespaceAndPunctuation(''), ' ');
  assert.ok(isBlank(foldWhitespaceAndPunctuation('...')));
});

test('every normaliser is idempotent', () => {
  for (const normal of [normHotpot, normAlnum, normTitle, squash, foldWhitespaceAndPunctuation])
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text =>
        assert.equal(normal(normal(text)), normal(text)),
      ),
    );
});
