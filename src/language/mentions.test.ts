/** Tests mentions of names and dates, slots, and cues of documents. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { matches } from '../core/corpus/filter.ts';
import { driftCues, frequentTerms, literalCues } from '../planning/cues.ts';
import { findSlots } from '../planning/slots.ts';
import { findDates } from './english/values/dates.ts';
import { distinctNames, findMentions } from './mentions.ts';

const found = (text: string, names: string[], options = {}): [string, number][] =>
  findMentions(text, names, options).map(({ name, start }) => [name, start]);

describe('mentions', () => {
  test('prefers the longest name, without overlaps, in order of position, ignoring case', () => {
    assert.deepEqual(
      found('The wire and THE WIRED, then wired', ['Wired', 'The Wired', 'The Wire']),
      [
        ['The Wire', 0],
        ['The Wired', 13],
        ['Wired', 29],
      ],
    );
    assert.deepEqual(distinctNames(findMentions('a b a', ['a', 'b'])), ['a', 'b']);
  });

  test('matches inside words by default, and whole words on request', () => {
    assert.deepEqual(found('They rewired it for Wired.', ['Wired']), [
      ['Wired', 7],
      ['Wired', 20],
    ]);
    assert.deepEqual(found('They rewired it for Wired.', ['Wired'], { wholeWords: true }), [
      ['Wired', 20],
    ]);
    assert.deepEqual(found('éWired Wired_', ['Wired'], { wholeWords: true }), []);
  });

  test('offsets are exact; mentions ascend without overlaps', () => {
    const name = fc.constantFrom('aa', 'aab', 'B', 'ba', 'İ', 'ß', 'a b', '');
    const text = fc
      .array(fc.constantFrom('a', 'b', 'A', ' ', 'İ', 'ß', '𝒳'), { maxLength: 30 })
      .map(parts => parts.join(''));
    fc.assert(
      fc.property(
        text,
        fc.array(name, { maxLength: 5 }),
        fc.boolean(),
        (within, names, wholeWords) => {
          let end = 0;
          for (const mention of findMentions(within, names, { wholeWords })) {
            assert.ok(
              mention.start >= end && mention.end > mention.start && mention.end <= within.length,
            );
            assert.equal(
              within.slice(mention.start, mention.end).toLowerCase(),
              mention.name.toLowerCase(),
            );
            end = mention.end;
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('dates', () => {
  const cases: [text: string, days: string[]][] = [
    ['on October 7, 2023 and 7 October 2023', ['2023-10-07', '2023-10-07']],
    ['2023-12-25T08:00', ['2023-12-25']],
    [
      'the 1st of May 2024, May 2nd 2024, MAY 3RD, 2024',
      ['2024-05-01', '2024-05-02', '2024-05-03'],
    ],
    ['February 29, 2024 but not February 29, 2023', ['2024-02-29']],
    ['2023-02-31, 2023-13-01, 2023-00-10, April 31, 2023, May 0, 2023', []],
    ['October 2023, May 7, 12/10/2023, x2023-10-07x', []],
    ['', []],
  ];
  for (const [text, days] of cases)
    test(`"${text}"`, () =>
      assert.deepEqual(
        findDates(text).map(({ day }) => day),
        days,
      ));

  test('finds every valid day in every form, with exact offsets', () => {
    const days = fc.date({
      min: new Date('1000-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(days, fc.nat(2), (date, form) => {
        const day = date.toISOString().slice(0, 10);
        const month = date.toLocaleString('en', { month: 'long', timeZone: 'UTC' });
        const [year, number] = [date.getUTCFullYear(), date.getUTCDate()];
        const text = [day, `${month} ${number}, ${year}`, `${number} ${month} ${year}`][form]!;
        assert.deepEqual(findDates(`xx ${text} yy`), [{ day, start: 3, end: 3 + text.length }]);
      }),
    );
  });
});

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
