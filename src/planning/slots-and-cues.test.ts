/** Tests slots of questions, and cues of documents. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { matches } from '../core/corpus/filter.ts';
import { driftCues, frequentTerms, literalCues } from './cues.ts';
import { findSlots } from './slots.ts';

describe('slots', () => {
  const sources = ['The Verge', 'Wired', 'CNN'];
  test('one slot per source in order of mention; with dates, one per source and following day', () => {
    const question =
      'Did The Verge report of October 7, 2023, like the Wired report, and The Verge report of October 9, 2023, blame CNN?';
    assert.deepEqual(
      findSlots(question, sources, false).map(({ label }) => label),
      ['The Verge', 'Wired', 'CNN'],
    );
    assert.deepEqual(
      findSlots(question, sources, true).map(({ label }) => label),
      ['The Verge, 2023-10-07', 'Wired', 'The Verge, 2023-10-09', 'CNN'],
    );
    assert.deepEqual(findSlots('Who won?', sources, true), []);
  });

  test('a day far after a source, or after the next source, is not part of its slot', () => {
    const far = `The Verge ${'x '.repeat(40)} on October 7, 2023?`;
    assert.deepEqual(
      findSlots(far, sources, true).map(({ label }) => label),
      ['The Verge'],
    );
    assert.deepEqual(
      findSlots('The Verge and Wired on 2023-10-07', sources, true).map(({ label }) => label),
      ['The Verge', 'Wired, 2023-10-07'],
    );
  });

  test('a slot’s filter passes its documents', () => {
    const [slot] = findSlots('The Verge report of October 7, 2023', sources, true);
    assert.ok(matches(slot!.filter, { source: 'The Verge', published_at: '2023-10-07T10:00:00Z' }));
    assert.ok(
      !matches(slot!.filter, { source: 'The Verge', published_at: '2023-10-08T10:00:00Z' }),
    );
    assert.ok(!matches(slot!.filter, { source: 'Wired', published_at: '2023-10-07T10:00:00Z' }));
  });
});

describe('cues', () => {
  test('returns the most frequent content terms, ties in alphabetical order', () => {
    // glass 3, furnace 2, lens 2, then b-words once; "the", "and" are stop words; "a" is too short.
    const text = 'The glass furnace and the lens: Glass, GLASS, furnace, lens, zinc, a, brass';
    assert.deepEqual(frequentTerms(text, 4), ['glass', 'furnace', 'lens', 'brass']);
    assert.deepEqual(frequentTerms(text, 2, 6), ['furnace']);
    assert.deepEqual(frequentTerms(text, 0), []);
    assert.deepEqual(frequentTerms('', 5), []);
  });

  const document = {
    id: 'd',
    title: 'Glass works',
    text: `Lens lens zinc. ${'filler '.repeat(100)}`,
    metadata: { source: 'Gazette', category: 'business' },
  };
  test('literal: title, source, category and terms of title and body', () => {
    assert.equal(literalCues(document, 2), 'Glass works Gazette business filler lens');
    assert.equal(literalCues({ ...document, title: '', metadata: {} }, 0), '');
  });
  test('drift: source, category and four terms of four letters or more of the first 90 words', () => {
    assert.equal(driftCues(document), 'Gazette business filler lens zinc');
    assert.equal(
      driftCues({ ...document, text: `${'one '.repeat(90)}furnace furnace` }),
      'Gazette business',
    );
  });
});
