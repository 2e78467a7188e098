/** Checks the numbers of words against the sets of words that they stand for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { capitalisedWords, contentStems } from '../../text/stems.ts';
import { TextWords, Vocabulary } from './text-words.ts';

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
