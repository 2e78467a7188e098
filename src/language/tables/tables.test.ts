/** The laws of every table of a language, which a new one must pass. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findDates, findTimes, MONTHS } from '../english/values/dates.ts';
import { datesIn } from '../language-dates.ts';
import { withoutFunctionWords, withPlainWords } from '../plain-words.ts';
import { LANGUAGE_TABLES } from './tables.ts';

test('each language has one table', () => {
  const codes = LANGUAGE_TABLES.map(({ code }) => code);
  assert.deepEqual(codes, [...new Set(codes)]);
});

/** English words that tell the kind of an answer. */
const ASKS =
  /^(?:who|whose|when|where|why|how|what|which|what is the|in which year|how (?:many|much|long|often|old))$/;

for (const table of LANGUAGE_TABLES)
  describe(`the table of ${table.name}`, () => {
    test('has a code of two letters, and lists in lower case without spaces', () => {
      assert.match(table.code, /^[a-z]{2}$/);
      for (const word of [...table.stopWords, ...table.months]) {
        assert.equal(word, word.toLowerCase());
        assert.doesNotMatch(word, /\s/);
      }
    });

    test('asks in lower case for what English words ask', () => {
      const asked = table.questionWords.map(([word]) => word);
      assert.deepEqual(asked, [...new Set(asked)]);
      for (const [word, english] of table.questionWords) {
        assert.equal(word, word.toLowerCase());
        assert.match(english, ASKS);
      }
    });

    test('has twelve months or none, and finds each of them in a date', () => {
      assert.ok([0, 12].includes(table.months.length));
      for (const pattern of table.dates) assert.equal(pattern.flags.replace('i', ''), 'gu');
      for (const [at, month] of table.months.entries()) {
        const written = [`7. ${month} 2020`, `7 ${month} 2020`, `7 de ${month} de 2020`];
        const found = written.flatMap(text => datesIn(text, table));
        assert.ok(
          found.some(date => date.year === 2020 && date.month === at + 1 && date.day === 7),
          month,
        );
      }
    });

    test('takes the longest particle off first', () => {
      const particles = table.particles ?? [];
      for (const [at, particle] of particles.entries())
        for (const later of particles.slice(at + 1))
          assert.equal(later.endsWith(particle), false, `${later} comes behind ${particle}`);
    });

    test('keeps the words that contain a word without content', () => {
      for (const word of table.whole ?? []) assert.equal(table.stopWords.has(word), false, word);
    });

    test('leaves a question without content as it is', () => {
      const words = [...table.stopWords].slice(0, 3).join(table.unspaced ? '' : ' ');
      assert.equal(withPlainWords(words).trim() === '', false);
    });
  });

test('questions are written for the analysis', () => {
  for (const [question, plain] of [
    ['Wer gründete die Firma am 3. Mai 2019 in Bonn?', 'who gründete firma May 3, 2019 Bonn?'],
    ['Wie viele Einwohner hat Bad Homburg?', 'how many einwohner Bad Homburg?'],
    ['Kostet das Gerät mehr als 1.234,50 Euro?', 'kostet gerät mehr 1,234.50 Euro?'],
    [
      'Quand a été fondée la ville de Lyon le 7 juin 1950 ?',
      'when fondée ville Lyon June 7, 1950 ?',
    ],
    ['¿Quién dirigió la película el 2 de enero de 1999?', 'who dirigió película January 2, 1999?'],
    ['如何更改按钮的颜色？', 'how 更改按钮 颜色'],
    ['他的目的是什么？', 'what 目的'],
    ['Кто написал эту книгу 5 мая 1990 года?', 'who написал книгу May 5, 1990 года?'],
    ['2019년 3월 7일에 누가 왔습니까?', 'who March 7, 2019에 왔습니까?'],
    ['2019年3月7日谁来了？', 'who March 7, 2019 来'],
    ['図書館はどこにありますか？', 'where 図書館'],
    ['ファイルを保存するにはどうすればよいですか？', 'how ファイル 保存'],
  ] as const)
    assert.equal(withPlainWords(question), plain);
});

test('function words are left out of a question in its language, and all else stays as typed', () => {
  for (const [question, left] of [
    ['他的目的在2019年3月7日是什么', ' 目的 2019年3月7日 '],
    ['Wo ist der Hafen am 3. Mai?', '      Hafen   3. Mai?'],
    ['Where is the harbour?', 'Where is the harbour?'],
    ['是什么', '是什么'],
  ] as const)
    assert.equal(withoutFunctionWords(question), left);
});

test('questions in English, and in languages without a table, stay as they are', () => {
  for (const question of [
    'Who directed Das Boot on 3 May 2020?',
    'Was La Strada released before Die Hard?',
    'What does 微信 mean in English?',
    'Хто написав цю книгу і коли її видали?',
    'Ποιος έγραψε το βιβλίο;',
    'Cosa significa questo?',
    'parseRequest 1.234,5',
    '',
  ])
    for (const written of [withPlainWords, withoutFunctionWords])
      assert.equal(written(question), question);
  assert.equal(MONTHS.length, 12);
});

test('dates of other languages stand among those of English', () => {
  for (const [text, days] of [
    ['Am 3. Mai 2020 und 2021.', ['2020-05-03']],
    ['le 1er août 1999, 7 juin 2001', ['1999-08-01', '2001-06-07']],
    ['el 2 de enero de 1999', ['1999-01-02']],
    ['2020年5月3日及2021年', ['2020-05-03']],
    ['On 3/5/2020 and May 7, 2021', ['2021-05-07']],
  ] as const)
    assert.deepEqual(
      findDates(text).map(({ day }) => day),
      days,
      text,
    );
  assert.deepEqual(
    findTimes('im Mai 2020, 2019年3月').map(({ year, month, day }) => [year, month, day]),
    [
      [2020, 5, 0],
      [2019, 3, 0],
    ],
  );
});
