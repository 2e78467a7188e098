/** Tests the split by descriptions on hand-worked questions, and on any text. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { nestedSubQuestions } from './nested-sub-questions.ts';
import { referencesIn } from './references.ts';

const chains: Readonly<Record<string, readonly string[]>> = {
  'Where did the director of film Glass Night die?': [
    'the director of film Glass Night',
    'Where did #1 die?',
  ],
  "What nationality is Ines Quill's husband?": ["Ines Quill's husband", 'What nationality is #1?'],
  "Who is Osk Maren's maternal grandfather?": ['Osk Maren’s mother', 'Who is #1’s father?'],
  'Who was the father-in-law of Pia Sol?': ['Pia Sol’s spouse', 'Who is #1’s father?'],
  "Where did Osk Maren's paternal grandmother die?": [
    'Osk Maren’s father',
    '#1’s mother',
    'Where did #2 die?',
  ],
  "Who is Osk Maren's wife?": ["Who is Osk Maren's wife?"],
  'When was the clock built in the city where Osk Maren died?': [
    'the city where Osk Maren died',
    'When was the clock built in #1?',
  ],
  'When did the state where Vell Mounds is located become part of the union?': [
    'the state where Vell Mounds is located',
    'When did #1 become part of the union?',
  ],
  'Who was in charge of the country where the composer of Tarn Song was a citizen?': [
    'the composer of Tarn Song',
    'the country where #1 was a citizen',
    'Who was in charge of #2?',
  ],
  'Where was the place of death of Pia Sol?': ['Where was the place of death of Pia Sol?'],
  'Who founded the works?': ['Who founded the works?'],
};

describe('chains', () => {
  for (const [question, expected] of Object.entries(chains))
    test(question, () => assert.deepEqual(nestedSubQuestions(question, 4), expected));

  test('a shorter list leaves the outer part whole', () => {
    const question = Object.keys(chains).find(text => text.includes('in charge'));
    assert.deepEqual(nestedSubQuestions(question!, 2), [
      'the composer of Tarn Song',
      'Who was in charge of the country where #1 was a citizen?',
    ]);
    assert.deepEqual(nestedSubQuestions(question!, 1), [question]);
  });
});

describe('alternatives', () => {
  test('each is asked alone', () => {
    assert.deepEqual(nestedSubQuestions('Who was born first, Pia Sol or Osk Maren?', 4), [
      'Who was born first, Pia Sol',
      'Who was born first, Osk Maren',
    ]);
    assert.deepEqual(
      nestedSubQuestions('Are Vell Airport and Tarn Airport both located in the same country?', 4),
      [
        'Are Vell Airport both located in the same country',
        'Are Tarn Airport both located in the same country',
      ],
    );
  });

  test('what is compared of each is asked first', () => {
    assert.deepEqual(
      nestedSubQuestions('Which film has the director born later, Glass Night or The Lamp?', 4),
      [
        'Who is the director of Glass Night',
        'Who is the director of The Lamp',
        'Which film has the director born later, #1',
        'Which film has the director born later, #2',
      ],
    );
  });
});

test('any text gives one to so many parts, whose references are to earlier ones', () => {
  const piece = fc.constantFrom(
    ...[
      'the director of',
      'Glass Night',
      'that',
      'where',
      "'s husband",
      ' or ',
      ' and ',
      ', ',
      '?',
    ],
    ...['was born', 'the city where', 'both', '#1', 'Is ', 'whose', ' '],
  );
  const text = fc
    .array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 14 })
    .map(parts => parts.join(' '));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 6 }), (question, parts) => {
      const list = nestedSubQuestions(question, parts);
      assert.ok(list.length >= 1 && list.length <= parts);
      for (const [at, part] of list.entries())
        for (const number of referencesIn(part)) assert.ok(number <= at, `${part} at ${at}`);
    }),
  );
});
