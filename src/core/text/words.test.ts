import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { wordSpans, wordsIn } from './matched-words.ts';
import { countWords, nthWordEnd, wordRuns } from './words.ts';

/** Finds the words of texts without scripts of n-grams by the regular expression itself. */
const runs = (text: string): [number, number][] =>
  [...text.matchAll(/(?:[\p{L}\p{N}_]\p{M}*)+/gu)].map(match => [
    match.index,
    match.index + match[0].length,
  ]);

const pieces = [
  'a',
  'é',
  '7',
  '_',
  ' ',
  '-',
  '’',
  '\u0301',
  '\ud800',
  '\udc00',
  '𝐀',
  '😂',
  'व',
  'ि',
];
const spaced = fc.string({ unit: fc.constantFrom(...pieces) });
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(...pieces, '中', '文', 'の', 'ไ', 'ท', 'ี', 'ក', '한', '𠀀', 'ｱ'),
  }),
);

test('words equal the matches of the regular expression where spaces stand between them', () => {
  fc.assert(
    fc.property(spaced, text => {
      assert.deepEqual([...wordRuns(text)], runs(text));
      assert.deepEqual(wordSpans(text), runs(text));
      assert.equal(countWords(text), runs(text).length);
    }),
    { numRuns: 2000 },
  );
});

/** Letters per word of each script without spaces. */
const PER_WORD: readonly (readonly [RegExp, number])[] = [
  [/\p{Script=Han}/u, 1.5],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 4],
  [/[\p{Script=Thai}\p{Script=Lao}]/u, 4.5],
  [/[\p{Script=Khmer}\p{Script=Myanmar}]/u, 4],
];
const LETTERS = '中文字の。ไทียกຂកខ၀အ한a 7-';

/** Cuts a text as its letters add up to words, by fractions. */
function slowCount(text: string): number {
  let [count, filled] = [0, 0];
  let before = '';
  for (const letter of text) {
    if (/\p{M}/u.test(letter)) continue;
    const perWord = /[\p{L}]/u.test(letter)
      ? PER_WORD.find(([script]) => script.test(letter))?.[1]
      : undefined;
    const kind = perWord ? 'unspaced' : /[\p{L}\p{N}]/u.test(letter) ? 'spaced' : '';
    if (kind !== before) filled = 0;
    if (kind !== '' && (kind !== before || filled > 0.999)) {
      if (kind === before && kind === 'unspaced') filled -= 1;
      if (kind !== before || kind === 'unspaced') count++;
    }
    if (perWord) filled += 1 / perWord;
    before = kind;
  }
  return count;
}

test('letters of scripts without spaces add up to words', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 30 }), text => {
      assert.equal(countWords(text), slowCount(text));
      assert.equal([...wordRuns(text)].length, slowCount(text));
    }),
    { numRuns: 5000 },
  );
});

test('a word is as much text in each script', () => {
  for (const [text, words] of [
    ['備份設定の管理', 4],
    ['ประเทศไทย', 2],
    ['使用LibreOffice打开2020年', 5],
    ['हिन्दी में', 2],
    ['한국어를 배운다', 2],
    ['❤️ 1️⃣ ok', 2],
  ] as const)
    assert.equal(countWords(text), words, text);
});

test('counting a range equals counting its slice', () => {
  fc.assert(
    fc.property(anyText, fc.nat(), fc.nat(), (text, a, b) => {
      const cuts = [...Array(text.length + 1).keys()].filter(
        at => at === 0 || at === text.length || text.codePointAt(at - 1)! < 0x10000,
      );
      const [start, end] = [cuts[a % cuts.length]!, cuts[b % cuts.length]!].sort(
        (x, y) => x - y,
      ) as [number, number];
      assert.equal(countWords(text, start, end), [...wordRuns(text.slice(start, end))].length);
    }),
    { numRuns: 2000 },
  );
});

test('words ascend, cover all that is part of one, and cut no letter from its mark', () => {
  fc.assert(
    fc.property(anyText, text => {
      let last = 0;
      for (const [start, end] of wordRuns(text)) {
        assert.ok(start >= last && end > start);
        assert.doesNotMatch(text.slice(last, start), /[\p{L}\p{N}_]/u);
        assert.doesNotMatch(text.slice(start, end), /^\p{M}/u);
        last = end;
      }
      assert.doesNotMatch(text.slice(last), /[\p{L}\p{N}_]/u);
    }),
  );
});

test('the words of a part are no more than those of the whole', () => {
  fc.assert(
    fc.property(anyText, text => {
      for (const [start] of wordRuns(text)) {
        const before = countWords(text, 0, start);
        assert.ok(before + countWords(text, start) <= countWords(text));
      }
    }),
  );
});

test('nthWordEnd is the end of the n-th word, or of the text', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: -1, max: 12 }), (text, n) => {
      assert.equal(
        nthWordEnd(text, n),
        n <= 0 ? 0 : ([...wordRuns(text)][n - 1]?.[1] ?? text.length),
      );
    }),
  );
});

test('apostrophes and hyphens separate words, underscores and digits do not', () => {
  // Python: re.findall(r"\w+", "It's a co-op: snake_case 3.14 naïve") ==
  // ['It','s','a','co','op','snake_case','3','14','naïve']
  assert.equal(countWords("It's a co-op: snake_case 3.14 naïve"), 9);
  assert.equal(nthWordEnd('one two, three', 2), 7);
  assert.equal(nthWordEnd('one two', 5), 7);
  assert.equal(countWords(''), 0);
});

test('texts without spaces are compared by pairs of letters', () => {
  for (const [text, words] of [
    ['使用LibreOffice打开', ['使用', 'LibreOffice', '打开']],
    ['備份設定', ['備份', '份設', '設定']],
    ['열람실은 한', ['열람', '람실', '실은', '한']],
    ['ที่นี่ 2020年', ['ที่นี่', '2020', '年']],
    ['हिन्दी naïve', ['हिन्दी', 'naïve']],
    ['', []],
  ] as const)
    assert.deepEqual(wordsIn(text), words, text);
});
