/** Checks numbers of words against the sets that they stand for, and forms of texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AnalysisCache } from '../../core/corpus/analysis-cache.ts';
import { capitalisedWords, contentStems } from '../../language/english/words/stems.ts';
import {
  bareTitle,
  padded,
  TextReader,
  TextWords,
  textWordsKind,
  Vocabulary,
} from './text-words.ts';

const texts = fc.array(
  fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 6 }),
        fc.constantFrom(
          'The',
          'Tarrandine’s',
          'accused',
          'Accuses',
          'and',
          'Ferrymen-of',
          'É7',
          '_',
        ),
      ),
    )
    .map(words => words.join(' ')),
  { maxLength: 8 },
);

test('texts of one vocabulary have the stems and capitalised words of each text', () => {
  fc.assert(
    fc.property(texts, all => {
      const vocabulary = new Vocabulary();
      for (const text of [...all, ...all]) {
        const words = new TextWords(text, vocabulary);
        assert.deepEqual([...words.stems], [...contentStems(text)]);
        assert.deepEqual([...words.capitals], [...capitalisedWords(text)]);
        for (const numbers of [words.stemNumbers, words.capitalNumbers])
          assert.equal(new Set(numbers).size, numbers.length);
      }
    }),
    { numRuns: 500 },
  );
});

test('vocabularies number words, and place the words of a list from 1', () => {
  const vocabulary = new Vocabulary();
  const numbers = vocabulary.numbersOf(['boat', 'kelp', 'boat', 'an unusually long name of kelp']);
  assert.deepEqual(numbers, [0, 1, 0, 2]);
  assert.equal(vocabulary.size, 3);
  assert.deepEqual(
    [...vocabulary.wordsOf(numbers)],
    ['boat', 'kelp', 'an unusually long name of kelp'],
  );
  const placesOf = (words: readonly string[]): number[] =>
    vocabulary.withPlaces(words, places => [...places.subarray(0, vocabulary.size)]);
  for (const _ of [1, 2]) {
    const inside = vocabulary.withPlaces(['kelp'], () => placesOf(['boat']));
    assert.deepEqual(inside, [1, 0, 0]);
    const words = ['an unusually long name of kelp', 'elm', 'boat'];
    assert.deepEqual(placesOf(words), [3, 0, 1]);
    assert.deepEqual(placesOf([]), [0, 0, 0]);
  }
  vocabulary.numbersOf(Array.from({ length: 9 }, (_, at) => `w${at}`));
  assert.equal(placesOf(['w8']).at(-1), 1);
  assert.ok(!vocabulary.isFull);
});

test('padded texts hold whole words alone', () => {
  assert.equal(padded('“mara quist”, (keeper)'), ' mara quist keeper ');
  assert.equal(padded('क\u093e b2'), ' क\u093e b2 ');
  for (const written of ['akinoshū', 'akinoshu\u0304', 'akinoshu'])
    assert.equal(padded(written), ' akinoshu ');
  assert.equal(padded('각 й'), ' 각 й ');
  assert.equal(padded(' -- '), '  ');
  const words = new TextWords('  Mara–Quist left. ', new Vocabulary());
  assert.equal(words.padded, ' mara quist left ');
  assert.equal(words.count, 3);
});

test('a bare title drops one parenthesis at its end', () => {
  assert.equal(bareTitle('Inna (singer)'), 'Inna');
  assert.equal(bareTitle('Inna (singer)  '), 'Inna');
  assert.equal(bareTitle('Inna (a) (b)'), 'Inna (a)');
  assert.equal(bareTitle('(The) Inna'), '(The) Inna');
  assert.equal(bareTitle('Inna ((singer))'), 'Inna ((singer))');
  assert.equal(bareTitle('(singer)'), '');
  assert.equal(new TextWords('Inna (Singer)', new Vocabulary()).bareTitle, ' inna ');
});

test('a reader reads each text of a kind once, with the vocabulary of the snapshot', () => {
  const analysis = new AnalysisCache();
  const [titles, sentences] = ['titles', 'sentences'].map(textWordsKind);
  const reader = new TextReader(analysis);
  const words = reader.read(titles!, 'a', () => 'Mara Quist');
  assert.equal(words.vocabulary, reader.vocabulary);
  assert.equal(
    reader.read(titles!, 'a', () => assert.fail()),
    words,
  );
  assert.notEqual(reader.read(titles!, 'b', () => 'Elm').lower, words.lower);
  assert.notEqual(reader.read(sentences!, 'a', () => 'Elm').lower, words.lower);
  const later = new TextReader(analysis);
  assert.equal(later.vocabulary, reader.vocabulary);
  assert.equal(
    later.read(titles!, 'a', () => assert.fail()),
    words,
  );
});

test('a full vocabulary is replaced, and texts of the old one are read again', () => {
  const analysis = new AnalysisCache();
  const kind = textWordsKind('titles');
  const reader = new TextReader(analysis);
  const words = reader.read(kind, 'a', () => 'Mara');
  reader.vocabulary.numbersOf(Array.from({ length: 1 << 18 }, (_, at) => `w${at}`));
  assert.ok(reader.vocabulary.isFull);
  const later = new TextReader(analysis);
  assert.notEqual(later.vocabulary, reader.vocabulary);
  assert.ok(!later.vocabulary.isFull);
  const again = later.read(kind, 'a', () => 'Mara');
  assert.notEqual(again, words);
  assert.equal(again.vocabulary, later.vocabulary);
  assert.equal(new TextReader(analysis).vocabulary, later.vocabulary);
});

test('estimated bytes grow with text, stems and capitals', () => {
  const { bytes } = textWordsKind('titles');
  const of = (text: string): number => bytes(new TextWords(text, new Vocabulary()));
  assert.equal(of(''), 384);
  assert.equal(of('the'), 384 + 2 * 3);
  assert.equal(of('kelp'), 384 + 2 * 4 + 8);
  assert.equal(of('Kelp boats'), 384 + 2 * 10 + 8 * 3);
});
