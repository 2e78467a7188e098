/**
 * What a draft rests on: by hand, and that nothing is cited that is not there or does not say it.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
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
      const { text, start: from } = paragraphs.find(one => one.id === id)!;
      assert.equal(documentId, `doc-${id}`);
      return text.slice(start - from, end - from);
    },
  );

describe('an answer', () => {
  test('rests on the sentences that hold it and share something with the question, at most two', () => {
    assert.deepEqual(cited('Vell'), ['Osk Maren was born in Vell in 1950.']);
    // "Vell is a town." shares the town with the thought, and has less of it.
    assert.deepEqual(cited('vell.', ['Vell is the town where he was born.']), [
      'Osk Maren was born in Vell in 1950.',
      'Vell is a town.',
    ]);
    assert.deepEqual(cited('1950'), ['Osk Maren was born in Vell in 1950.']);
  });

  test('and its thoughts on the sentence that supports each best, the last first; a title counts', () => {
    assert.deepEqual(
      cited('Vell', ['The Quill Works was founded by Ines Quill.', 'Osk Maren was born in Vell.']),
      ['Osk Maren was born in Vell in 1950.', 'The works of Tarn was founded by Ines Quill.'],
    );
  });

  test('that stands nowhere whole is not supported', () => {
    for (const answer of ['Vel', 'Dunmarrow', 'Vell 1950', 'the', 'in', '', '.', '\ud800'])
      assert.deepEqual(cited(answer, ['Osk Maren was born in Vell.']), [], answer);
    assert.deepEqual(cited('Tarn', [], 'Who wrote it?'), [], 'nothing but the answer is shared');
  });

  test('of yes or no rests on its thoughts, and on nothing without one', () => {
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

  test('without evidence rests on nothing', () => {
    assert.deepEqual(
      draftCitations({ question: 'q', thoughts: ['t'], answer: 'Vell', paragraphs: [] }),
      [],
    );
  });
});

test('whatever is asked, thought and answered: at most four citations, each once, each in its paragraph', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('Vell', 'Osk Maren was born in Vell.', 'Tarn lies low. It rains often.', 'yes'),
  );
  fc.assert(
    fc.property(
      text,
      fc.array(text, { maxLength: 6 }),
      text,
      fc.array(text, { maxLength: 4 }),
      (question, thoughts, answer, texts) => {
        const given = [
          ...paragraphs,
          ...texts.map((each, index) => paragraph(`t${index}`, each, each, index)),
        ];
        const found = draftCitations({ question, thoughts, answer, paragraphs: given });
        assert.ok(
          found.length <= 4 &&
            new Set(found.map(citation => JSON.stringify(citation))).size === found.length,
        );
        for (const { id, start, end } of found) {
          const { start: from, end: to } = given.find(one => one.id === id)!;
          assert.ok(from <= start && start < end && end <= to);
        }
      },
    ),
  );
});
