/** Checks comparisons of things by numbers with their unit or with a word of the question. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Asked } from '../../language/asked.ts';
import { compareNumbers } from './compare-numbers.ts';
import { readOpen } from './passages.ts';
import { readTexts } from './read-texts.ts';

/** Compares as many things as there are passages; returns the winner and the sentences. */
function compared(question: string, ...texts: string[]): [number | undefined, ...number[]] {
  const reading = readOpen(
    new Asked(question),
    texts.map((_, at) => `Thing ${at}`),
    texts.map((text, part) => ({ part, text })),
  );
  const { winner, sentences } = compareNumbers(
    reading,
    texts.map((_, at) => ({ text: `Thing ${at}`, passages: [at] })),
  );
  return [winner, ...sentences];
}

describe('the greater number wins', () => {
  for (const word of 'more most larger largest bigger biggest longer longest taller tallest higher highest greater greatest deeper deepest'.split(
    ' ',
  ))
    test(`by "${word}"`, () => {
      const [first, second] = ['It has 3 lamps over 3 miles.', 'It has 22 lamps over 9 miles.'];
      assert.deepEqual(compared(`Which has ${word} lamps?`, first!, second!), [1, 0, 1]);
      assert.deepEqual(
        compared(`Which has ${word.toUpperCase()} lamps?`, second!, first!),
        [0, 0, 1],
      );
      assert.deepEqual(compared(`Which has x${word} lamps?`, first!, second!), [undefined]);
      assert.deepEqual(compared(`Which has ${word}x lamps?`, first!, second!), [undefined]);
    });
});

describe('the smaller number wins', () => {
  for (const word of 'fewer fewest less least smaller smallest shorter shortest lower lowest'.split(
    ' ',
  ))
    test(`by "${word}"`, () => {
      const [first, second] = ['It has 3 lamps over 3 miles.', 'It has 22 lamps over 9 miles.'];
      assert.deepEqual(compared(`Which has ${word} lamps?`, first!, second!), [0, 0, 1]);
      assert.deepEqual(compared(`Which has ${word} or more lamps?`, second!, first!), [1, 0, 1]);
      assert.deepEqual(compared(`Which has x${word} lamps?`, first!, second!), [undefined]);
      assert.deepEqual(compared(`Which has ${word}x lamps?`, first!, second!), [undefined]);
    });
});

describe('numbers', () => {
  const QUESTION = 'Which has more lamps?';
  for (const [more, fewer] of [
    ['22 lamps', 'nine lamps'],
    ['1,200 lamps', '900 lamps'],
    ['2 hundred lamps', '150 lamps'],
    ['2 thousand lamps', '9 hundred lamps'],
    ['2 million lamps', '3 thousand lamps'],
    ['2 billion lamps', '3 million lamps'],
    ['2.5 lamps', '2 lamps'],
    ['$40 of lamps', '$39 of lamps'],
    ['£40 of lamps', '39 lamps'],
    ['€40 of lamps', '39 lamps'],
    ['two lamps', 'one lamp'],
    ['four lamps', 'three lamps'],
    ['six lamps', 'five lamps'],
    ['eight lamps', 'seven lamps'],
    ['ten lamps', 'nine lamps'],
    ['twelve lamps', 'eleven lamps'],
    ['Two grand old lamps', 'one lamp'],
  ] as const)
    test(`${more} are more than ${fewer}`, () => {
      assert.equal(compared(QUESTION, `It has ${more} now.`, `It has ${fewer} now.`)[0], 0);
      assert.equal(compared(QUESTION, `It has ${fewer} now.`, `It has ${more} now.`)[0], 1);
    });

  test('tell nothing if they are equal or one is missing', () => {
    assert.deepEqual(compared(QUESTION, 'It has 9 lamps.', 'It has nine lamps.'), [
      undefined,
      0,
      1,
    ]);
    assert.deepEqual(compared(QUESTION, 'It has 9 lamps.', 'It has lamps.'), [undefined]);
    assert.deepEqual(compared(QUESTION, 'It has 9 lamps.', 'It has dozens of lamps.'), [undefined]);
    assert.deepEqual(compared(QUESTION, 'It has 9 lamps.', 'It has 22 masts.'), [undefined]);
  });

  test('count if they are the first with a word of the question near behind them', () => {
    assert.deepEqual(
      compared(
        QUESTION,
        'It has 99 grand old grey masts and, by now, 9 lamps.',
        'It has 22 lamps.',
      ),
      [1, 0, 1],
    );
    const far = `It has 99 ${'X'.repeat(40)} lamps, 9 lamps.`;
    assert.deepEqual(compared(QUESTION, far, 'It has 22 lamps.'), [1, 0, 1]);
    assert.deepEqual(
      compared(QUESTION, 'It has 9 lamps, 99 lamps.', 'It has 22 lamps.'),
      [1, 0, 1],
    );
  });

  test('count by their unit where the question compares a measure', () => {
    assert.deepEqual(
      compared('Which is taller?', 'In 9 days 40 metres.', 'It is 30 m.'),
      [0, 0, 1],
    );
    assert.deepEqual(compared('Which is heavier?', 'It is 40 kg.', 'It is 30 kg.'), [undefined]);
  });

  test('of three things: the greatest wins', () =>
    assert.deepEqual(
      compared(QUESTION, 'It has 5 lamps.', 'It has 9 lamps.', 'It has 7 lamps.'),
      [1, 0, 1, 2],
    ));

  test('stand in any sentence of any passage of a thing', () => {
    const reading = readTexts(QUESTION, [
      ['A', 'It is.'],
      ['B', 'It was.', 'It has 9 lamps.'],
      ['C', 'It has 7 lamps.'],
    ]);
    assert.deepEqual(
      compareNumbers(reading, [
        { text: 'A', passages: [2] },
        { text: 'B', passages: [0, 1] },
      ]),
      { winner: 1, sentences: [3, 2] },
    );
  });
});
