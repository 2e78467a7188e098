/** Checks the units that questions for measures and counts want beside a number. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Mention } from '../names/mentions.ts';
import { COUNTS, hasUnit, unitsCompared, unitsWanted } from './measures.ts';

describe('the units of', () => {
  for (const [question, fit, other] of [
    [
      'How tall is the mast?',
      [' METRES', '-metre', ' million miles', ' ft', ' m.'],
      [' m2', ' kg'],
    ],
    ['What is the snowfall of it?', [' mm deep'], [' years']],
    ['How long is it?', [' km long', ' centuries', ' nights'], [' metres deep', ' lamps']],
    ['How heavy is it?', [' grammes', ' lbs', ' stone'], [' metres', ' gs']],
    ['How much does the old bell weigh?', [' kg'], [' dollars', ' metres']],
    ['What velocity has it?', [' km/h', ' knot', ' metres'], [' kg', ' years']],
    ['How warm is it?', ['°', ' C', ' fahrenheit'], [' Km', ' metres']],
    ['What large proportion is ice?', ['%', ' per cent', ' percent'], [' kg']],
    ['How much was paid?', [' pence', ' km²', ' sq. miles', ' litres', '%', ' years'], [' knots']],
    ['How wide is it?', [' m broad', ' m deeply'], [' m deep', ' m long']],
  ] as const)
    test(question, () => {
      const units = unitsWanted(question)!;
      for (const unit of fit) assert.match(unit, units);
      for (const unit of other) assert.doesNotMatch(unit, units);
    });

  test('nothing, for questions that ask for no measure', () => {
    for (const question of [
      'Show tall ships: who built them?',
      'How heavyset was he?',
      'What is one of all the few height signs?',
      'In what town of old did they share?',
    ])
      assert.equal(unitsWanted(question), undefined, question);
  });

  test('a comparison', () => {
    for (const [word, fit, other] of [
      ['deepest', ' metres', ' kg'],
      ['lighter', ' kg', ' metres'],
      ['smaller', ' acres', ' kg'],
    ] as const) {
      const units = unitsCompared(`Which is ${word}?`)!;
      assert.match(fit, units);
      assert.doesNotMatch(other, units);
    }
    assert.equal(unitsCompared('Which is older, xdeepest or lighterx?'), undefined);
  });
});

describe('a number has its unit', () => {
  const has = (
    sentence: string,
    number: string,
    question: string,
    kind: Mention['kind'] = 'number',
  ): boolean => {
    const start = sentence.indexOf(number);
    const mention = { kind, start, end: start + number.length, text: number };
    return hasUnit(sentence, mention, unitsWanted(question)!);
  };
  for (const [sentence, number, question, expected] of [
    ['It is 214 metres deep.', '214 metres', 'How deep is it?', true],
    ['It is 1,200.5 m deep.', '1,200.5', 'How deep is it?', true],
    ['It is twenty-one metres deep.', 'twenty-one', 'How deep is it?', true],
    ['It is 214 lamps and 9 m deep.', '214', 'How deep is it?', false],
    ['It cost ¥40 in all.', '¥40', 'How much was it?', true],
    ['It cost 40$ in all.', '40', 'How much was it?', false],
    ['It is $40 deep.', '$40', 'How deep is it?', false],
    ['It is £40 m deep.', '£40', 'How deep is it?', true],
  ] as const)
    test(`${number} of "${sentence}" for "${question}": ${expected}`, () =>
      assert.equal(has(sentence, number, question), expected));

  test('whether it was read as a number or as a year', () => {
    const sentence = 'It is 1400 metres deep.';
    assert.ok(has(sentence, '1400', 'How deep is it?', 'time'));
    for (const kind of ['name', 'noun', 'quote', 'adjective'] as const)
      assert.ok(!has(sentence, '1400', 'How deep is it?', kind));
  });
});

test('questions for counts are those of "how many"', () => {
  assert.match('In how many towns?', COUNTS);
  assert.match('How Many?', COUNTS);
  assert.doesNotMatch('How manyfold?', COUNTS);
  assert.doesNotMatch('Show many lamps.', COUNTS);
});
