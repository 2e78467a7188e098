/** Tests that the WebAssembly reader of terms finds those of the plain reader, byte for byte. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { itemsOf, numbers, zipfTexts } from '../../../../test/oracles/lexical-texts.ts';
import { LexicalIndex, type LexicalItem } from './lexical-index.ts';

const ANALYSES = ['plain', 's1'] as const;

function assertReadersAgree(
  items: readonly LexicalItem[],
  analyses: readonly ('plain' | 's1')[] = ['plain'],
): void {
  for (const analysis of analyses)
    assert.deepEqual(
      LexicalIndex.build(items, analysis, 'fast').pack(),
      LexicalIndex.build(items, analysis, 'plain').pack(),
    );
}

test('both readers build equal indexes of more postings than the memory holds at once', () => {
  const next = numbers(5);
  const small = zipfTexts(4000, 3000, 60, next);
  const large = Array.from({ length: 200_000 }, (_, at) => `t${at % 150_000}`).join(' ');
  // Large items first, in the middle, next to each other and last; empty ones at borders of runs.
  for (const texts of [
    [large, ...small, '', ''],
    [...small.slice(0, 3000), '', large, large, '', ...small.slice(3000), large],
  ]) {
    assertReadersAgree(itemsOf(texts));
  }
});

test('both readers build equal indexes, byte for byte', () => {
  const text$ = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom('ÉCOLE K ſ ß', 'ΟΔΟΣ ΑΣ', 'İ_x _', 'A1 b_2'),
  );
  fc.assert(
    fc.property(fc.array(text$, { maxLength: 12 }), texts => {
      const items = itemsOf(texts).map((item, i) => ({
        ...item,
        title: texts[texts.length - 1 - i]!,
        metadata: { source: texts[0]! },
      }));
      assertReadersAgree(items, ANALYSES);
    }),
    { numRuns: 300 },
  );
  assertReadersAgree(itemsOf(zipfTexts(3000, 20_000, 60, numbers(7))));
});

/** Pieces of texts: two lists of ASCII, then those with a form of as many bytes, then others. */
const PIECES: readonly (readonly string[])[] = [
  ['a', 'b', 'S', 'st', 'th', 's', 'Ab', 'Mc', '1', '20', 'U.S.', 'e.g.', '1990s', 'foo-bar', '\0'],
  ['.', '-', '_', '/', '+', '#', '$', ':', '@', '~', '=', '\\', '?', '&', '%', ' ', ' ', ',', '('],
  ['é', 'É', 'ß', 'œ', 'Ø', 'ł', 'ς', 'Σ', 'ά', 'ё', 'Ж', 'Й', 'ễ', '–', '’', '…', '°', '€', 'آ'],
  ...[
    [
      'İ',
      '²',
      '½',
      '\u00ad',
      '\u2010',
      '\u0301',
      '中',
      '文',
      '한',
      'ก',
      '😀',
      'ﬁ',
      'Ａ',
      '\ud800',
      'Ễ',
    ],
  ],
];

test('both readers find the same terms in texts with signs of identifiers and letters of all kinds', () => {
  const text$ = fc
    .constantFrom(2, 3, 4)
    .chain(kinds =>
      fc
        .array(fc.constantFrom(...PIECES.slice(0, kinds).flat()), { maxLength: 50 })
        .map(pieces => pieces.join('')),
    );
  fc.assert(
    fc.property(fc.array(text$, { minLength: 1, maxLength: 20 }), texts => {
      assertReadersAgree(itemsOf(texts), ANALYSES);
    }),
    { numRuns: 500, examples: [[['foo-bar-_', 'a-a\\_']]] },
  );
});

test('both readers find the same terms around characters of the basic plane, most of them sampled', () => {
  const around = (letter: string): string[] => {
    const words = `a${letter}b ${letter} ${letter}${letter} A${letter}-b ${letter}1 1${letter} a${letter.toUpperCase()}`;
    return [`${words} e${letter}\u0301`, `${words} é${letter} x.${letter} ${letter}.x ${letter}-a`];
  };
  const texts: string[] = [];
  for (let code = 0x80; code < 0x10000; code += code < 0x600 ? 1 : 17)
    texts.push(...around(String.fromCharCode(code)));
  assertReadersAgree(itemsOf(texts), ANALYSES);
});

test('both readers find words longer than a list of their letters, and many with accents', () => {
  const texts = [
    'é'.repeat(20_000),
    `${'É'.repeat(5000)} ${'é'.repeat(3000)}x ${'ë '.repeat(4000)}`,
    'Zürich-Nord '.repeat(2000),
    'a'.repeat(100_000),
    'a '.repeat(5000),
    'a.b_c '.repeat(1500),
  ];
  assertReadersAgree(itemsOf(texts));
});

test('both readers find words with accents in a text whose forms need more room than it', () => {
  for (const times of [250, 2000, 20_000])
    for (const words of ['a.b_c ', 'getValue0.parse_item0 '])
      assertReadersAgree(itemsOf([`The café is here. ${words.repeat(times)}`]));
});
