/** Tests the citations of a draft by hand, and that no citation points outside the evidence. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { draftCitations } from './draft-citations.ts';
import type { Paragraph } from './paragraphs.ts';

const paragraph = (id: string, title: string, text: string, start = 0): Paragraph => ({
  id,
  documentId: `doc-${id}`,
  title,
  about: '',
  text,
  start,
  end: start + text.length,
});
const paragraphs = [
  paragraph(
    'w',
    'Quill Works',
    'It rains often. The works of Tarn was founded by Ines Quill. Tarn lies low.',
    100,
  ),
  paragraph('m', 'Osk Maren', 'Osk Maren was born in Vell in 1950.'),
  paragraph('v', 'Vell', 'Vell is a town. Many were born there.'),
];
const cited = (
  answer: string,
  thoughts: readonly string[] = [],
  question = 'Where was Osk Maren born?',
): string[] =>
  draftCitations({ question, thoughts, answer, paragraphs }).map(
    ({ id, documentId, start, end }) => {
      const { text, start: from } = paragraphs.find(paragraph => paragraph.id === id)!;
      assert.equal(documentId, `doc-${id}`);
      return text.slice(start - from, end - from);
    },
  );

describe('draftCitations', () => {
  test('cites the best sentence for each thought, the last thought first; titles count', () => {
    assert.deepEqual(
      cited('Vell', ['The Quill Works was founded by Ines Quill.', 'Osk Maren was born in Vell.']),
      ['Osk Maren was born in Vell in 1950.', 'The works of Tarn was founded by Ines Quill.'],
    );
  });

  test('cites nothing for an answer that no sentence contains as whole words', () => {
    for (const answer of ['Vel', 'Dunmarrow', 'Vell 1950', 'the', 'in', '', '.', '\ud800'])
      assert.deepEqual(cited(answer, ['Osk Maren was born in Vell.']), [], answer);
    assert.deepEqual(cited('Tarn', [], 'Who wrote it?'), [], 'nothing but the answer is shared');
  });

  test('cites the thoughts for yes or no, and nothing without thoughts', () => {
    assert.deepEqual(cited('Yes', ['Osk Maren was born in Vell.']), [
      'Osk Maren was born in Vell in 1950.',
    ]);
    assert.deepEqual(cited('no.', ['The moon is made of green cheese.']), []);
    assert.deepEqual(cited('No'), []);
    assert.deepEqual(
      cited('No', ['The lamp of Harrow Point was sold near Vell on a Friday.']),
      [],
      'a word in common is not enough',
    );
  });
});
