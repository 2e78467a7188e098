/** Tests names of a question that are spelled as in its evidence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withNamesOf } from './recognised-names.ts';

const CATALOGUE = { sources: ['The Verge', 'Fortune'], days: [] };
const TEXTS = [
  'Sam Bankman-Fried led FTX from Oslo. Users trusted him, and users paid.',
  'Caroline Ellison testified in New York.',
];
const spelled = (question: string): string => withNamesOf(question, TEXTS, CATALOGUE);

test('names get their capitals where the question has none; common words do not', () => {
  assert.equal(
    spelled('Did sam bankman-fried and caroline ellison leave new york with users of ftx?'),
    'Did Sam Bankman-Fried and Caroline Ellison leave New York with users of FTX?',
  );
});

test('a word of a name that the evidence lacks is spelled as its only near word', () => {
  assert.equal(
    spelled('Did Sam Bnakman-Fried meet Carolien Ellison in Osol, according to The Verge?'),
    'Did Sam Bankman-Fried meet Caroline Ellison in Oslo, according to The Verge?',
  );
  assert.equal(
    spelled('Did Sam Altman meet Ilya Sutskever?'),
    'Did Sam Altman meet Ilya Sutskever?',
  );
});

test('a question in the spelling of its evidence is left alone, whatever it is', () => {
  const piece = fc.constantFrom(
    ...['Sam Bankman-Fried', 'FTX', 'Oslo', 'Users', 'trusted', 'The Verge', 'New York', 'did'],
    ...['Fortune', 'October 7, 2023', 'İ', 'article', ','],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), pieces => {
      const question = `Did Caroline Ellison ${pieces.join(' ')}?`;
      assert.equal(spelled(question), question);
    }),
  );
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), (question, texts) => {
      withNamesOf(question, texts, CATALOGUE);
    }),
  );
});
