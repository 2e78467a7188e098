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
    ['we met Tova Brandt there', 'Tova Brandt'],
    ['The Grey Petrel sank', 'Grey Petrel'],
    ['we met Tova', 'Tova'],
    ['The sea rose', ...[]],
    ['so I left', ...[]],
    ['the Bell of Dunmar rang', 'Bell of Dunmar'],
    ['the Bell of the North rang', 'Bell', 'Bell of the North', 'North'],
    ['Bread and Salt', 'Bread', 'Bread and Salt', 'Salt'],
    ['Ludo van der Holm left', 'Ludo', 'Ludo van der Holm', 'Holm'],
    ['Ludo van Holm left', 'Ludo van Holm'],
    ['St. Olan and Dr. Venn', 'St. Olan', 'St. Olan and Dr. Venn', 'Dr. Venn'],
    ['we met J. R. Venn', 'J. R. Venn'],
    ['we met J.R. Venn', 'J.R. Venn'],
    ['the 3rd Lamp Fair', '3rd Lamp Fair'],
    ['on the 3rd day', ...[]],
    ['we met Olaf IV there', 'Olaf IV'],
    ['In Dunmar it rained', 'Dunmar'],
    ['Dunmar on Tuesday was calm', 'Dunmar', 'Tuesday'],
    ['he left Dunmar Tuesday', 'Dunmar'],
    ['he left Dunmar Tuesday- and', 'Dunmar'],
    ['the Dunmar O-Friday lamp', 'Dunmar O-Friday'],
    ['the Dunmar Fridays lamp', 'Dunmar Fridays'],
    ['we met Olaf I there', 'Olaf I'],
    ['we met Olaf SIX there', 'Olaf'],
    ['we met Olaf In there', 'Olaf'],
    ['we met Tova2 there', 'Tova2'],
    ['we met Holm-- there', 'Holm'],
    ['at Ox here', 'Ox'],
    ['in Dunmar, Holm it rained', 'Dunmar', 'Dunmar, Holm', 'Holm'],
    ['in Dunmar, Holm, Vall it rained', 'Dunmar', 'Dunmar, Holm, Vall', 'Holm', 'Vall'],
    ['Tova’s lamp', 'Tova'],
    ["Tova's lamp", 'Tova'],
    ['the Brandts’ lamp', 'Brandts'],
    ['the O’Venn lamp', 'O’Venn'],
    ['the Holm- and lamp', 'Holm'],
    ['the B&B lamp', 'B&B'],
    ['a Q here', ...[]],
    ['the Venn X7 lamp', 'Venn X7'],
  ]);

  test('have at most 90 characters', () => {
    const long = `A${'a'.repeat(89)}`;
    assert.deepEqual(found(long, 'name'), [long]);
    assert.deepEqual(found(`${long}a`, 'name'), []);
  });
});

describe('times', () => {
  table('time', [
    ['on 4 May 1901', '4 May 1901', '1901'],
    ['in 1901', '1901'],
    ['in the 1920s', '1920s'],
    ['on 4 May 812', '4 May 812'],
    ['on 4 May 812 and 1999', '4 May 812', '1999'],
    ['in 476 AD', '476'],
    ['from 1920 to 1939', '1920', '1920 to 1939', '1939'],
    ['between 1920 and 1939', '1920', '1920 and 1939', '1939'],
    ['1920 until 1939', '1920', '1920 until 1939', '1939'],
    ['1920 till 1939', '1920', '1920 till 1939', '1939'],
    ['1920–1939', '1920', '1920–1939', '1939'],
    ['1920 - 1939', '1920', '1920 - 1939', '1939'],
    ['1920-1939', '1920', '1920-1939', '1939'],
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
    ['it has 22 species', '22', '22 species'],
    ['it has 22 of them', '22'],
    ['it has 1,200 lamps', '1,200', '1,200 lamps'],
    ['it has 3.5 million lamps', '3.5 million', '3.5 million lamps'],
    ['it has 3 billion', '3 billion'],
    ['it has 3 thousand', '3 thousand'],
    ['it has 3 hundred', '3 hundred'],
    ['it has 3 HUNDRED', '3 HUNDRED'],
    ['it cost $40 in all', '$40'],
    ['it cost £40,000.', '£40,000'],
    ['it cost €4,', '€4'],
    ['it has 22.', '22'],
    ['a x22 and u2', ...[]],
    ['at 22 Holm', '22'],
    ['it has nine lamps', 'nine'],
    ['it has ninety lamps', 'ninety'],
    ['it has thirteen or nineteen', 'thirteen', 'nineteen'],
    ['a dozen or dozens of hundreds', 'dozen', 'dozens', 'hundreds'],
    ['a thousand and thousands', 'thousand', 'thousands'],
    ['a hundred', 'hundred'],
    ['it has none', ...[]],
    ['on one of them', 'one'],
    ['attend the weight', ...[]],
  ]);
  test('of every word', () => {
    for (const word of 'one two three four five six seven eight nine ten eleven twelve'.split(' '))
      assert.deepEqual(found(`it has ${word} lamps`, 'number'), [word]);
    for (const word of 'thir four fif six seven eigh nine'.split(' '))
      assert.deepEqual(found(`it has ${word}teen lamps`, 'number'), [`${word}teen`]);
    for (const word of 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' '))
      for (const unit of [
        '',
        ...'-one -two -three -four -five -six -seven -eight -nine'.split(' '),
      ])
        assert.deepEqual(found(`it has ${word}${unit} lamps`, 'number'), [`${word}${unit}`]);
  });
});

describe('quotes', () => {
  table('quote', [
    ['he said "no more" then', 'no more'],
    ['he said “no more” then', 'no more'],
    ['he said “” then', ...[]],
    ['he said “x” then', ...[]],
    ['he said “xy” then', 'xy'],
    ['he said “no more then', ...[]],
  ]);
  test('have at most 80 characters', () => {
    assert.deepEqual(found(`“${'x'.repeat(80)}”`, 'quote'), ['x'.repeat(80)]);
    assert.deepEqual(found(`“${'x'.repeat(81)}”`, 'quote'), []);
  });
});

describe('adjectives of nations', () => {
  table('adjective', [
    ['a Danish poet', 'Danish'],
    ['a South Korean poet', 'South Korean'],
    ['a Danish-born poet', 'Danish'],
    ['a danish', ...[]],
    ['the Danishes', ...[]],
    ['xDanish', ...[]],
  ]);
});

describe('phrases', () => {
  table('noun', [
    ['the grey lamp of the old harbour', 'grey lamp', 'lamp', 'old harbour', 'harbour'],
    ['small grey lamp', 'small grey lamp', 'grey lamp', 'lamp'],
    ['very small grey lamp', 'small grey lamp', 'grey lamp', 'lamp'],
    ['loud small old grey lamp', 'grey lamp', 'lamp'],
    ['loud old grey lamp', 'loud old grey lamp', 'grey lamp', 'lamp'],
    ['an ox', ...[]],
    ['grey ox', 'grey ox'],
    ['ice-cold lamp', 'ice-cold lamp', 'lamp'],
    ['the keeper’s lamp', 'keeper’s lamp', 'lamp'],
    ['LAMP', ...[]],
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
