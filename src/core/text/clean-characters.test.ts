/** Checks each class of characters that Contriever's normaliser replaces. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cleanCharacters } from './clean-characters.ts';

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

const CLASSES: readonly (readonly [name: string, codePoints: readonly number[], form: string])[] = [
  ['control characters are deleted', [...range(0x01, 0x08), 0x0e, 0x0f, ...range(0x11, 0x1b)], ''],
  ['vertical tab, form feed and next line become a space', [0x0b, 0x0c, 0x85], ' '],
  ['hyphens and dashes', [0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2043], '-'],
  ['minuses', [0x2212, 0xff0d, 0x207b], '-'],
  ['the soft hyphen is deleted', [0xad], ''],
  ['double quotes', [0x201c, 0x201d, 0x201e, 0x201f], '"'],
  ['single quotes', [0x2018, 0x2019, 0x201a, 0x201b], "'"],
  ['apostrophes', [0x55a, 0xa78b, 0xa78c, 0xff07], "'"],
  ['accents', [0x60, 0xb4], "'"],
  ['primes', [0x2032, 0x2035], "'"],
  ['double primes', [0x2033, 0x2036], "''"],
  ['triple primes', [0x2034, 0x2037], "'''"],
  ['the quadruple prime', [0x2057], "''''"],
  ['the ellipsis', [0x2026], '...'],
  ['slashes', [0x2044, 0x2215], '/'],
  ['tildes', [0x2dc, 0x2053, 0x223c, 0x223d, 0x223f, 0x301c, 0xff5e], '~'],
];

describe('cleanCharacters', () => {
  for (const [name, codePoints, form] of CLASSES)
    test(name, () => {
      for (const codePoint of codePoints)
        assert.equal(
          cleanCharacters(`a${String.fromCodePoint(codePoint)}b`),
          `a${form}b`,
          `U+${codePoint.toString(16)}`,
        );
    });

  test('leaves every other character of the Basic Multilingual Plane unchanged', () => {
    const listed = new Set(CLASSES.flatMap(([, codePoints]) => codePoints));
    for (let codePoint = 0; codePoint <= 0xffff; codePoint++) {
      const character = String.fromCharCode(codePoint);
      if (!listed.has(codePoint))
        assert.equal(cleanCharacters(character), character, `U+${codePoint.toString(16)}`);
    }
  });

  test('joins spaced full stops only between spaces', () => {
    assert.equal(cleanCharacters('and so . . . on'), 'and so ... on');
    assert.equal(cleanCharacters('. . . on'), '. . . on');
    assert.equal(cleanCharacters('so . . .'), 'so . . .');
  });

  test('leaves case, tabs and line feeds unchanged', () => {
    assert.equal(
      cleanCharacters('“It’s 5′ 10″” – The\u00ad Mayor…\n\tN\u2044A \u223c 3'),
      "\"It's 5' 10''\" - The Mayor...\n\tN/A ~ 3",
    );
  });

  test('removes every listed character and is idempotent', () => {
    const listed = String.fromCodePoint(...CLASSES.flatMap(([, codePoints]) => codePoints));
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...listed, 'a', ' ', '.') }), text => {
        const once = cleanCharacters(text);
        fc.pre(!once.includes(' . . . '));
        assert.equal(cleanCharacters(once), once);
        for (const character of listed) assert.ok(!once.includes(character));
      }),
    );
  });
});
