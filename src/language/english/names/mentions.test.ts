/** Checks the spans of sentences: names, dates, numbers, quotes, adjectives and phrases. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { findMentions, type MentionKind } from './mentions.ts';

const found = (text: string, kind: MentionKind): string[] =>
  findMentions(text)
    .filter(each => each.kind === kind)
    .map(each => each.text);

const table = (
  kind: MentionKind,
  rows: readonly (readonly [text: string, ...expected: readonly string[]])[],
): void => {
  for (const [text, ...expected] of rows)
    test(`"${text}": ${expected.join(' | ') || 'none'}`, () =>
      assert.deepEqual(found(text, kind), expected));
};

describe('names', () => {
  table('name', [
    ['The Grey Petrel sank', 'Grey Petrel'],
    ['so I left the sea', ...[]],
    ['the Bell of the North rang', 'Bell', 'Bell of the North', 'North'],
    ['Ludo van der Holm left', 'Ludo', 'Ludo van der Holm', 'Holm'],
    ['St. Olan and J. R. Venn', 'St. Olan', 'St. Olan and J. R. Venn', 'J. R. Venn'],
    ['the 3rd Lamp Fair', '3rd Lamp Fair'],
    ['we met Olaf IV there, Olaf I and Olaf In', 'Olaf IV', 'Olaf I', 'Olaf I and Olaf', 'Olaf'],
    ['he left Dunmar Tuesday', 'Dunmar'],
    ['in Dunmar, Holm, Vall it rained', 'Dunmar', 'Dunmar, Holm, Vall', 'Holm', 'Vall'],
    ['Tova’s lamp, the Holm- or B&B lamp', 'Tova', 'Holm', 'B&B'],
    ['a Q here', ...[]],
  ]);

  test('have at most 90 characters', () => {
    const long = `A${'a'.repeat(89)}`;
    assert.deepEqual(found(long, 'name'), [long]);
    assert.deepEqual(found(`${long}a`, 'name'), []);
  });
});

describe('times', () => {
  table('time', [
    ['on 4 May 1901 or 1999', '4 May 1901', '1901', '1999'],
    ['in the 1920s, on 4 May 812, in 476 AD', '1920s', '4 May 812', '476'],
    ['between 1920 and 1939', '1920', '1920 and 1939', '1939'],
    ['1920–1939', '1920', '1920–1939', '1939'],
    ['1920 or 1939', '1920', '1939'],
  ]);
  test('are no numbers', () => {
    assert.deepEqual(found('in 1901 and 4 May 1902', 'number'), []);
    assert.deepEqual(found('9 lamps of 1901', 'number'), ['9', '9 lamps']);
    assert.deepEqual(found('in 1901 it has 9 lamps', 'number'), ['9', '9 lamps']);
  });
});

describe('numbers', () => {
  table('number', [
    ['it has 22 species of 9 of them', '22', '22 species', '9'],
    ['it has 3.5 million lamps', '3.5 million', '3.5 million lamps'],
    ['it cost £40,000.', '£40,000'],
    ['a x22 and u2', ...[]],
    ['it has thirteen or ninety-nine or one', 'thirteen', 'ninety-nine', 'one'],
    ['a dozen or dozens of hundreds', 'dozen', 'dozens', 'hundreds'],
    ['it has none: attend the weight', ...[]],
  ]);
});

describe('quotes', () => {
  table('quote', [
    ['he said "no more" then “xy”', 'no more', 'xy'],
    ['he said “x” then “no more', ...[]],
  ]);
  test('have at most 80 characters', () => {
    assert.deepEqual(found(`“${'x'.repeat(80)}”`, 'quote'), ['x'.repeat(80)]);
    assert.deepEqual(found(`“${'x'.repeat(81)}”`, 'quote'), []);
  });
});

describe('adjectives of nations', () => {
  table('adjective', [
    ['a South Korean poet, a Danish-born one', 'South Korean', 'Danish'],
    ['a danish, xDanish Danishes', ...[]],
  ]);
});

describe('phrases', () => {
  table('noun', [
    ['the grey lamp of the old harbour', 'grey lamp', 'lamp', 'old harbour', 'harbour'],
    ['very small grey lamp', 'small grey lamp', 'grey lamp', 'lamp'],
    ['loud old grey lamp', 'loud old grey lamp', 'grey lamp', 'lamp'],
    ['grey ox at an ox', 'grey ox'],
    ['the keeper’s LAMP', 'keeper’s'],
  ]);
});

describe('mentions', () => {
  test('stand in order of position, the shorter first, and know their offsets', () =>
    assert.deepEqual(findMentions('Tova Brandt met “Ulf”.'), [
      { kind: 'name', start: 0, end: 11, text: 'Tova Brandt' },
      { kind: 'noun', start: 12, end: 15, text: 'met' },
      { kind: 'name', start: 17, end: 20, text: 'Ulf' },
    ]));

  test('have one kind at a place: the first of date, adjective, name, quote, number, phrase', () => {
    assert.deepEqual(
      findMentions('“Danish” and “nine lamps”').map(({ kind, text }) => `${kind} ${text}`),
      ['adjective Danish', 'number nine', 'quote nine lamps', 'noun lamps'],
    );
  });

  test('are at most 120, of the first 1,200 characters', () => {
    const many = findMentions(Array.from({ length: 200 }, () => 'Tova.').join(' '));
    assert.equal(many.length, 120);
    assert.equal(many.at(-1)!.start, 119 * 6);
    assert.deepEqual(found(`${'.'.repeat(1196)}Tova`, 'name'), ['Tova']);
    assert.deepEqual(found(`${'.'.repeat(1197)}Tova`, 'name'), ['Tov']);
  });

  test('none in an empty text', () => assert.deepEqual(findMentions(''), []));

  test('are distinct and ordered in any text', () => {
    const word = fc.constantFrom('Tova', 'of', 'the', '1901', 'Danish', '“', '”', 'lamp', '9', ',');
    fc.assert(
      fc.property(fc.array(word), words => {
        const all = findMentions(words.join(' '));
        assert.equal(new Set(all.map(({ start, end }) => `${start} ${end}`)).size, all.length);
        for (const [index, { start, end }] of all.slice(1).entries())
          assert.ok(
            start > all[index]!.start || (start === all[index]!.start && end > all[index]!.end),
          );
      }),
    );
  });
});
