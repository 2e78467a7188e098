/** Checks comparisons of things by the times that relations state. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Asked } from '../../language/asked.ts';
import { compareThings } from './compare.ts';
import { readOpen } from './passages.ts';
import { readTexts } from './read-texts.ts';

/** Compares two things with a passage each; returns the winner, `loose` and the sentences. */
function compared(question: string, first: readonly string[], second: readonly string[]) {
  const reading = readOpen(
    new Asked(question),
    ['Thing One', 'Thing Two'],
    [first, second].flatMap((texts, part) => texts.map(text => ({ part, text }))),
  );
  const things = [0, 1].map(at => ({ text: 'x', passages: [at] }));
  const { winner, loose, sentences } = compareThings(reading, things);
  return { winner, loose, sentences };
}
const winner = (question: string, first: string, second: string): number | undefined =>
  compared(question, [first], [second]).winner;

const LIFE_ONE = 'It (4 May 1901 – 2 March 1970) was a poet.';
const LIFE_TWO = 'It (7 June 1899 – 1 January 1980) was a poet.';

describe('the words of a question choose the time', () => {
  for (const [words, first, second, expected] of [
    // Deaths: the first died earlier; births: the second was born earlier.
    ...['die', 'died', 'death', 'dead', 'passed away'].map(
      word => [word, LIFE_ONE, LIFE_TWO, 0] as const,
    ),
    ...['born', 'birth', 'birthday', 'older', 'elder', 'oldest', 'age'].map(
      word => [word, LIFE_ONE, LIFE_TWO, 1] as const,
    ),
    ...['younger', 'youngest'].map(word => [word, LIFE_ONE, LIFE_TWO, 0] as const),
    ...[
      ...['release', 'released', 'came out', 'come out', 'published', 'premiere', 'premiered'],
      ...['aired', 'debut', 'debuted', 'issue', 'issued'].filter(word => word !== 'issue'),
    ].map(
      word =>
        [
          word,
          'It was released in 1950 and founded in 1900.',
          'It was released in 1940 and founded in 1910.',
          1,
        ] as const,
    ),
    ...[
      ...['founded', 'established', 'formed', 'started', 'began', 'begin', 'launched', 'created'],
      ...['opened', 'built', 'constructed', 'completed', 'first', 'earlier', 'before', 'longer'],
    ].map(
      word =>
        [
          word,
          'It was founded in 1900 and released in 1950.',
          'It was founded in 1910 and released in 1940.',
          0,
        ] as const,
    ),
    ...['later', 'recent', 'recently'].map(
      word =>
        [
          word,
          'It was founded in 1900 and released in 1950.',
          'It was founded in 1910 and released in 1940.',
          word === 'later' ? 1 : 0,
        ] as const,
    ),
  ] as const)
    test(words, () => {
      assert.equal(winner(`Which ${words} it?`, first, second), expected);
      assert.equal(winner(`Which ${words.toUpperCase()} it?`, first, second), expected);
      assert.equal(winner(`Which x${words} it?`, first, second), undefined);
      assert.equal(winner(`Which ${words}x it?`, first, second), undefined);
    });
});

describe('the later thing wins', () => {
  for (const word of [
    ...['later', 'younger', 'youngest', 'most recent', 'most recently', 'more recent'],
    ...['more recently', 'last', 'latest', 'newer', 'newest', 'second'],
  ])
    test(`by "${word}"`, () => {
      const [first, second] = ['It was built in 1950.', 'It was built in 1960.'];
      assert.equal(winner(`Which was built ${word}?`, first!, second!), 1);
      assert.equal(winner(`Which was built ${word.toUpperCase()}?`, first!, second!), 1);
      assert.equal(winner(`Which was built x${word}?`, first!, second!), 0);
      assert.equal(winner(`Which was built ${word}x?`, first!, second!), 0);
    });
});

describe('the relations of an attribute are tried in order', () => {
  const other = 'It was built in 1930.';
  for (const [question, first, expected] of [
    ['Who is older?', 'It was born in 1900.', 0],
    ['Who is older?', 'It was founded in 1900.', 0],
    ['Who is older?', 'It was aired in 1900.', 0],
    ['Who died first?', 'It was founded in 1900.', 0],
    ['Which was released first?', 'It was founded in 1900.', 0],
    ['Which was built first?', 'It was aired in 1900.', 0],
    ['Which was built first?', 'It was born in 1900.', 0],
    ['Which was built first?', 'It was born in 1900, and built in 1940.', 1],
    ['Which was released first?', 'It was built in 1900 and aired in 1940.', 1],
    ['Who is older?', 'It was built in 1900. It was born in 1940.', 1],
  ] as const)
    test(`${question} ${first}`, () => assert.equal(winner(question, first, other), expected));
});

describe('times', () => {
  const QUESTION = 'Which was built first?';
  test('tell nothing if they are equal, or not known apart', () => {
    assert.deepEqual(compared(QUESTION, ['It was built in 1950.'], ['It was built in 1950.']), {
      winner: undefined,
      loose: undefined,
      sentences: [],
    });
    assert.equal(winner(QUESTION, 'It was built in 1950.', 'It was built in May 1950.'), undefined);
  });

  test('tell nothing if one is missing', () =>
    assert.deepEqual(compared(QUESTION, ['It was built in 1950.'], ['It was built.']), {
      winner: undefined,
      loose: undefined,
      sentences: [],
    }));

  test('come with the sentences that state them', () =>
    assert.deepEqual(
      compared(QUESTION, ['No.', 'It was built in 1950.'], ['No.', 'No.', 'It was built in 1940.']),
      { winner: 1, loose: false, sentences: [1, 4] },
    ));

  test('that no relation states are the first ones, loosely', () => {
    assert.deepEqual(
      compared(QUESTION, ['No.', 'In 1950 and 1920 it rained.'], ['It was built in 1940.']),
      { winner: 1, loose: true, sentences: [1, 2] },
    );
    assert.deepEqual(
      compared(QUESTION, ['No.', 'In 1930, it.', 'In 1950, it.'], ['On 1940, it.']),
      { winner: 0, loose: true, sentences: [1, 3] },
    );
  });

  test('of first sentences count before others', () => {
    const [lead, other] = ['It (born 4 May 1901) was a poet.', 'She, born in 1950, left.'];
    const question = 'Who is older?';
    assert.deepEqual(compared(question, [lead!, other!], ['It was born in 1930.']).winner, 0);
    assert.deepEqual(
      compared(question, ['It, who was born in 1950 (4 May 1901), left.'], ['It was born in 1930.'])
        .winner,
      0,
    );
  });
});

describe('lives', () => {
  test('are compared by their years and months', () => {
    assert.deepEqual(compared('Who lived longer?', [LIFE_ONE], [LIFE_TWO]), {
      winner: 1,
      loose: undefined,
      sentences: [0, 1],
    });
    assert.equal(winner('Who lived longer?', LIFE_TWO, LIFE_ONE), 0);
    assert.equal(winner('Who live longer?', LIFE_TWO, LIFE_ONE), 0);
    assert.equal(winner('Who live longer, by age?', LIFE_TWO, LIFE_ONE), 0);
    assert.equal(winner('Who LIVED LONGER?', LIFE_TWO, LIFE_ONE), 0);
    assert.equal(winner('Who xlived longerx?', LIFE_TWO, LIFE_ONE), undefined);
    const months = (from: string, to: string): string => `It (4 ${from} 1901 – 2 ${to} 1970) was.`;
    assert.equal(winner('Who lived longer?', months('May', 'June'), months('June', 'June')), 0);
    assert.equal(winner('Who lived longer?', months('May', 'June'), months('May', 'August')), 1);
    assert.equal(winner('Who lived longer?', months('May', 'June'), months('March', 'May')), 1);
    // Eleven months less are more than no month.
    assert.equal(
      winner(
        'Who lived longer?',
        'It (4 May 1901 – 2 June 1970) was.',
        'It (4 May 1902 – 2 April 1972) was.',
      ),
      1,
    );
  });

  test('tell nothing if they are as long, unknown, or another order is asked for', () => {
    assert.equal(winner('Who lived longer?', LIFE_ONE, LIFE_ONE), undefined);
    assert.equal(winner('Who lived longer?', LIFE_ONE, 'It (born 4 May 1901) was.'), undefined);
    assert.equal(winner('Who lived longer?', LIFE_ONE, 'It died in 1970.'), undefined);
    assert.equal(winner('Who lived the longest?', LIFE_ONE, LIFE_TWO), undefined);
  });
});

test('other questions compare numbers', () => {
  assert.equal(winner('Which is taller?', 'It is 40 m, of 1990.', 'It is 30 m, of 1980.'), 0);
  assert.equal(winner('Which is it?', 'It is of 1990.', 'It is of 1980.'), undefined);
});

test('values are those of the persons that a question goes through', () => {
  const reading = readTexts('Which film has the older director?', [
    ['Film One', 'It was directed by Orla Venn in 1990.'],
    ['Film Two', 'It was directed by Tam Quillor in 1980.'],
    ['Orla Venn', 'Orla Venn was born in 1899.'],
    ['Tam Quillor', 'Tam Quillor was born in 1901.'],
  ]);
  const things = [0, 1].map(at => ({ text: 'x', passages: [at] }));
  assert.deepEqual(compareThings(reading, things), { winner: 0, loose: false, sentences: [2, 3] });
});
