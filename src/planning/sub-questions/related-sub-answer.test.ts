/** Tests the answer by relation on hand-worked passages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractiveSubAnswer } from './extractive-sub-answer.ts';
import type { ReadPassage } from './read-passage.ts';
import { relatedSubAnswer } from './related-sub-answer.ts';

const passage = (documentId: string, title: string, text: string, start = 0): ReadPassage => ({
  id: `${documentId}#${start}`,
  documentId,
  title,
  text,
  start,
  about: '',
});
const FILM = passage(
  'lamp',
  'The Lamp',
  'The Lamp is a Danish film starring Bo Lind and directed by Ines Quill with Pia Sol.',
);

test('takes the name that follows a word of the relation soonest, of the best sentence', () => {
  const read = relatedSubAnswer('the director of The Lamp', [FILM]);
  assert.equal(read.answer, 'Ines Quill');
  assert.equal(relatedSubAnswer('Who starred in The Lamp?', [FILM]).answer, 'Bo Lind');
  // The first name of the sentence is a nationality.
  assert.equal(extractiveSubAnswer('the director of The Lamp', [FILM]).answer, 'Danish');
  assert.deepEqual(
    read.citations,
    [{ id: 'lamp#0', documentId: 'lamp', start: 0, end: 84 }].map(citation => ({
      ...citation,
      end: FILM.text.length,
    })),
  );
});

test('knows verbs that state a relation by another word', () => {
  const book = passage(
    'book',
    'Tarn',
    'Tarn is a Danish novel that Osk Maren praised and Pia Sol wrote; it was written by Bo Lind.',
  );
  assert.equal(relatedSubAnswer('the author of Tarn', [book]).answer, 'Bo Lind');
});

test('counts ranks by documents: passages of one share its rank', () => {
  const first = [
    passage('a', 'Ferry', 'The ferry is green.'),
    passage('a', 'Ferry', 'It is old.', 40),
  ];
  const second = passage('b', 'Quill Works', 'The Quill Works was founded by Ines Quill.');
  const third = passage('c', 'Quill Works', 'The Quill Works was founded by Bo Lind.');
  assert.equal(
    relatedSubAnswer('the founder of Quill Works', [...first, second, third]).answer,
    'Ines Quill',
  );
  assert.equal(relatedSubAnswer('the founder of Quill Works', [third, second]).answer, 'Bo Lind');
});

test('is unknown without a name beyond the question, and a date where a time is asked for', () => {
  assert.equal(relatedSubAnswer('the director of The Lamp', []).answer, undefined);
  const lind = passage('x', 'Bo Lind', 'Bo Lind sings.');
  assert.equal(relatedSubAnswer('Who is Bo Lind?', [lind]).answer, undefined);
  const dated = passage('y', 'Bo Lind', 'Bo Lind was born on 3 May 1901 in Tarn.');
  assert.equal(relatedSubAnswer('When was Bo Lind born?', [dated]).answer, '3 May 1901');
});
