/** Tests what texts in languages other than English are compared by. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { letterStems } from './letter-stems.ts';
import { KOREAN } from './tables/korean.ts';

const CASES: readonly (readonly [
  language: string,
  text: string,
  stems: readonly string[],
  pairs: readonly string[],
])[] = [
  [
    'de',
    'Die größte Zeile',
    ['die', 'gros', 'ross', 'osst', 'sste', 'zeil', 'eile'],
    ['die gros', 'gros zeil'],
  ],
  ['ru', 'и строки', ['стро', 'трок', 'роки'], []],
  // Function words join no pair; a word of three letters that holds one stays whole.
  ['zh', '目的地的颜色', ['目', '的', '目的', '颜', '色', '颜色'], ['目的 颜色']],
  [
    'zh',
    '打开 Basic 窗口',
    ['打', '开', '打开', 'basi', 'asic', '窗', '口', '窗口'],
    ['打开 basi', 'basi 窗口'],
  ],
  [
    'ja',
    '数式を変えるには',
    ['数', '式', '変', '数式', '式を', 'を変', '変え'],
    ['数式 を変', '式を 変え'],
  ],
  ['ja', 'セルの中', ['中', 'セル', 'ルの', 'の中'], ['セル の中']],
  ['ko', '셀을 어떻게 삭제하나요?', ['셀', '삭제', '제하', '하나', '나요'], ['셀 삭제']],
  ['th', 'แถว', ['แถ', 'ถว'], []],
  ['th', 'แถวล่าง', ['แถ', 'ถว', 'วล่', 'ล่า', 'าง'], ['แถ วล่', 'ถว ล่า', 'วล่ าง']],
];

test('texts are compared by groups of letters, and by pairs that share none', () => {
  for (const [language, text, stems, pairs] of CASES) {
    const read = letterStems(language)(text);
    assert.deepEqual(read.stems, stems, text);
    assert.deepEqual([...read.pairs], pairs, text);
  }
});

test('texts that a reader sees as equal have equal stems', () => {
  for (const [language, one, other] of [
    ['fr', 'Réglé à part', 'REGLE A\u0300 PART'],
    ['ja', 'ｾﾙの値', 'セルの値'],
    ['ar', 'كتاب', 'کتاب'],
  ] as const)
    assert.deepEqual(letterStems(language)(one), letterStems(language)(other), one);
});

test('a Korean word has one stem with and without particles', () => {
  const read = letterStems('ko');
  const word = fc
    .array(fc.constantFrom('셀', '행', '문', '서', '종', '이', '도', '로'), {
      minLength: 1,
      maxLength: 4,
    })
    .map(letters => letters.join(''));
  const particle = fc.constantFrom('', '을', '에', '에서', '으로는', '까지도');
  fc.assert(
    fc.property(word, particle, (noun, end) => {
      // Some particles are function words where they stand alone.
      fc.pre(!KOREAN.stopWords.has(noun) && !KOREAN.stopWords.has(noun + end));
      assert.deepEqual(read(noun + end).stems, read(noun).stems);
    }),
  );
});

test('pairs of a run join the letters of every four in a row', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.constantFrom(...'甲乙丙丁戊己庚辛壬癸'), { minLength: 2 }),
      letters => {
        const rows = letters.slice(3).map((_, at) => letters.slice(at, at + 4).join(''));
        const expected = rows.map(row => `${row.slice(0, 2)} ${row.slice(2)}`);
        assert.deepEqual([...letterStems('zh')(letters.join('')).pairs], expected);
      },
    ),
  );
});

test('one reader reads each text as a new one does', () => {
  const read = letterStems('ja');
  const text = fc.string({ unit: fc.constantFrom(...'あいうアイ漢字, a1보기') });
  fc.assert(
    fc.property(fc.array(text), texts => {
      for (const each of texts) assert.deepEqual(read(each), letterStems('ja')(each));
    }),
  );
});
