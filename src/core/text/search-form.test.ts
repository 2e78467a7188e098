/** Tests the terms of texts in many scripts against tokens worked out by hand, and their laws. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { foldedText } from './folded.ts';
import { GRAM_SCRIPTS } from './scripts.ts';
import { indexForm, queryForm } from './search-form.ts';

const TERM = new RegExp(String.raw`[\p{L}\p{M}\p{N}${GRAM_SCRIPTS}]+`, 'gu');
const terms = (form: string): string[] => form.match(TERM) ?? [];
const asked = (text: string): string[] => terms(queryForm(text));
const beside = (text: string): string[] => terms(indexForm(text).characters);

describe('terms of scripts without spaces', () => {
  for (const [script, text, expected] of [
    ['Chinese', '数据库备份', '数据 据库 库备 备份'],
    ['Japanese', '図書館は休館', '図書 書館 館は は休 休館'],
    ['half-width Kana', 'ｶﾞｷﾞ', 'ガギ'],
    ['Korean', '도서관은 월요일에', '도서 서관 관은 월요 요일 일에'],
    ['Thai, marks with their letters', 'ตลาดปิด', 'ตล ลา าด ดปิ ปิด'],
    ['Lao', 'ພາສາ', 'ພາ າສ ສາ'],
    ['Khmer', 'ភាសា', 'ភាសា'],
    ['Burmese', 'မြန်မာ', 'မြန် န်မာ'],
    ['ideographs beyond U+FFFF', '𠮷野家', '𠮷野 野家'],
    ['Latin names between Chinese words', '使用PostgreSQL备份', '使用 postgresql 备份'],
    ['numbers between Chinese words', '2020年5月3日', '2020 年 5 月 3 日'],
    ['a mark of one character', '猫', '猫'],
    ['punctuation ends a run', '猫，狗。', '猫 狗'],
  ] as const)
    test(script, () => assert.deepEqual(asked(text), expected.split(' ')));

  test('a text is found by one character of a run too, which does not count as its length', () => {
    assert.deepEqual(beside('数据库 v2 猫'), ['数', '据', '库']);
    assert.deepEqual(beside('A cat, un café'), []);
  });
});

describe('equal texts have equal terms', () => {
  for (const [what, a, b] of [
    ['full width', 'ＡＢＣ１２３', 'abc123'],
    ['ligatures', 'eﬃcient ﬁle', 'efficient file'],
    ['soft hyphens', 'Donau\u00addampf\u00adschiff', 'donaudampfschiff'],
    ['zero-width spaces and joiners', 'pass\u200bwo\u200d\u2060rd', 'password'],
    ['dotted and dotless i', 'İSTANBUL Diyarbakır', 'istanbul DIYARBAKIR'],
    ['kaf and yeh of Persian and Arabic', 'کتابی', 'كتابي'],
    ['sharp s', 'Straße GROẞ', 'STRASSE gross'],
    ['final sigma', 'ΟΔΟΣ', 'οδος'],
    ['vowel points of Hebrew', 'שָׁלוֹם', 'שלום'],
    ['vowel marks and tatweel of Arabic', 'مُحَمَّـــد', 'محمد'],
    ['hamza on alef', 'أحمد', 'احمد'],
    ['presentation forms of Arabic', 'ﻣﺤﻤﺪ', 'محمد'],
    ['digits', '٢٠٢٠ १२३ ๕๖', '2020 123 56'],
    ['subscripts and squares', 'H₂O 5 km²', 'h2o 5 km2'],
    ['Hangul in Jamo', '도서관'.normalize('NFD'), '도서관'],
    ['decomposed accents', 'Zu\u0308rich', 'Zürich'],
  ] as const)
    test(what, () => assert.deepEqual(asked(a), asked(b)));

  test('other letters stay other letters', () => {
    for (const [a, b] of [
      ['мой', 'мои'],
      ['か', 'が'],
      ['हिन्दी', 'हिन्द'],
    ] as const)
      assert.notDeepEqual(asked(a), asked(b));
  });

  test('marks split no word', () => {
    assert.deepEqual(asked('हिन्दी में'), ['हिन्दी', 'में']);
    assert.deepEqual(asked('தமிழ் மொழி'), ['தமிழ்', 'மொழி']);
  });

  test('a power, a footnote, a fraction and a trade mark stand beside the word before them', () => {
    assert.deepEqual(asked('10⁶ word¹ 1½ Java™ 5㎏'), '10 6 word 1 1 1 2 java 5 kg'.split(' '));
  });
});

const PARTS = [
  ...[
    'a',
    'Z',
    '7',
    ' ',
    '-',
    '_',
    '.',
    '’',
    '…',
    '\u00ad',
    '\u200b',
    '\u0301',
    '\u0308',
    'é',
    'ß',
  ],
  ...[
    'İ',
    'ı',
    'Σ',
    'ς',
    '²',
    '½',
    '™',
    '№',
    'ﬃ',
    'Ａ',
    '５',
    '中',
    '文',
    'か',
    '\u3099',
    'ｶ',
    '가',
    'ก',
  ],
  ...[
    'ำ',
    'ិ',
    '្',
    'ខ',
    'မ',
    '်',
    'क',
    'ि',
    '़',
    'ش',
    'ّ',
    'أ',
    'ש',
    'ָ',
    'й',
    'ё',
    '𠮷',
    '😀',
    '\ud800',
  ],
];
const text$ = fc.oneof(
  fc.string({ unit: fc.constantFrom(...PARTS), maxLength: 24 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const runs = { numRuns: 3000 };

test('canonically equivalent texts have the same terms', () => {
  fc.assert(
    fc.property(text$, text => {
      const [composed, decomposed] = [text.normalize('NFC'), text.normalize('NFD')];
      assert.deepEqual(asked(composed), asked(decomposed));
      assert.deepEqual(beside(composed), beside(decomposed));
    }),
    runs,
  );
});

test('every term of a query is a term of a text that contains it as words', () => {
  fc.assert(
    fc.property(text$, text$, text$, (before, query, after) => {
      const { form, characters: more } = indexForm(`${before} ${query} ${after}`);
      const found = new Set([...terms(form), ...terms(more)]);
      for (const term of asked(query)) assert.ok(found.has(term), term);
    }),
    runs,
  );
});

test('a text of a script without spaces is found by each of its parts', () => {
  const characters$ = fc.array(fc.constantFrom(...'数据库備份도서관かナกขคລខမ'), { minLength: 1 });
  fc.assert(
    fc.property(characters$, fc.nat(), fc.nat(), (characters, a, b) => {
      const from = a % characters.length;
      const part = characters.slice(from, from + 1 + (b % 4)).join('');
      const { form, characters: more } = indexForm(`X${characters.join('')}9`);
      const found = new Set([...terms(form), ...terms(more)]);
      for (const term of asked(part)) assert.ok(found.has(term), term);
    }),
  );
});

test('ASCII and the punctuation of English are only put in lower case', () => {
  const unit = fc.constantFrom(
    ...Array.from({ length: 128 }, (_, at) => String.fromCharCode(at)),
    '’',
    '—',
    '…',
  );
  fc.assert(
    fc.property(fc.string({ unit }), text => {
      assert.equal(foldedText(text), text.toLowerCase());
      const { form, characters } = indexForm(text);
      assert.deepEqual([form, characters], [text.toLowerCase(), '']);
      assert.equal(queryForm(text), text.toLowerCase());
    }),
  );
});
