/** Checks that questions for measures and counts get numbers with fitting units alone. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { candidatesOf } from '../../../readers/open/decide.ts';
import { readOpen } from '../../../readers/open/passages.ts';
import type { Mention } from '../names/mentions.ts';
import { COUNTS, hasUnit, unitsCompared, unitsWanted } from './measures.ts';

const spans = (question: string, text: string): string[] => [
  ...new Set(
    candidatesOf(readOpen(question, ['Lake Varn'], [{ part: 0, text }])).spans.map(
      each => each.text,
    ),
  ),
];

for (const [question, text, answer] of [
  ['How deep is Lake Varn?', 'Lake Varn, mapped in 1987, is 214 metres deep.', '214 metres'],
  ['How long is Lake Varn?', 'In 1987 Lake Varn was 12 km long.', '12 km'],
  ['How heavy is the bell of Lake Varn?', 'The bell of 1871 weighs 90 kg.', '90 kg'],
  ['How much did the survey of Lake Varn cost?', 'In 1987 the survey cost $40,000.', '$40,000'],
  ['What is the elevation of Lake Varn?', 'Lake Varn lies at 1,200 m.', '1,200'],
  ['What percentage of Lake Varn is ice?', 'Of Lake Varn 5.1% is ice since 1950.', '5.1'],
  [
    'How many islands are in Lake Varn?',
    'Lake Varn has had nineteen islands since 1987.',
    'nineteen',
  ],
] as const)
  test(`${question} wants a number with its unit, and no year`, () => {
    const found = spans(question, text);
    assert.ok(found.includes(answer), found.join(' | '));
    assert.ok(!found.some(each => /^(?:19|18)\d\d$/.test(each)), found.join(' | '));
  });

test('without such a measure nothing is a candidate, whatever else is named', () => {
  const text = 'Lake Varn was mapped by Orla Venn in 1987 and has three islands.';
  assert.deepEqual(spans('How deep is Lake Varn?', text), []);
  assert.deepEqual(spans('How heavy is Lake Varn?', text), []);
});

test('a number of another dimension is no candidate', () => {
  const text = 'Lake Varn is 214 metres deep and 12 km long.';
  assert.deepEqual(spans('How tall is Lake Varn?', text), []);
  assert.ok(!spans('How long is Lake Varn?', text).includes('214 metres'));
});

/** Texts after a number that hold a unit, and texts that hold none, by question. */
const UNITS: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  [
    'lengths',
    'How tall is the mast?',
    [
      ...[' metre', ' metres', ' meters', ' kilometres', ' centimetres', ' millimeters', ' km'],
      ...[' m', ' cm', ' mm', ' mi', ' mile', ' miles', ' feet', ' foot', ' ft', ' inch'],
      ...[' inches', ' yard', ' yards', ' fathom', ' fathoms', ' nautical miles', ' hands'],
      ...[' league', ' leagues', '-metre', '  metres', ' million miles', ' hundred feet'],
      ...[' thousand feet', ' billion miles', ' METRES', ' m.', ' metres high', ' metres tall'],
    ],
    ['', ' lamps', ' metresx', ' m2', ' long miles', ' years', ' metres deep', ' m wide', ' kg'],
  ],
  ...(['high', 'deep', 'wide', 'far', 'thick'] as const).map(
    word => [word, `How ${word} is it?`, [' metres'], [' years', ' kg']] as const,
  ),
  ...(['height', 'depth', 'width', 'elevation', 'altitude', 'distance', 'snowfall'] as const).map(
    word => [word, `What is the ${word} of it?`, [' metres'], [' years']] as const,
  ),
  ['rainfall', 'Which town has a rainfall like it?', [' mm'], [' years']],
  ['diameter', 'What diameter has it?', [' mm deep'], [' years']],
  ['wingspan', 'what was the greatest old wingspan of it?', [' m'], [' years']],
  [
    'lengths and times',
    'How long is it?',
    [
      ...[' metres', ' second', ' seconds', ' minute', ' minutes', ' hour', ' hours', ' day'],
      ...[' days', ' night', ' nights', ' week', ' weeks', ' month', ' months', ' year'],
      ...[' years', ' decade', ' decades', ' century', ' centuries', ' km long'],
    ],
    [' lamps', ' metres deep', ' metres tall', ' m high', ' m broad', ' m thick'],
  ],
  ['length', 'What is the whole length of it?', [' metres', ' hours'], [' lamps']],
  [
    'weights',
    'How heavy is it?',
    [
      ...[' gram', ' grams', ' gramme', ' kilograms', ' milligrams', ' kg', ' g', ' ton', ' tons'],
      ...[' tonne', ' tonnes', ' pound', ' pounds', ' lb', ' lbs', ' ounce', ' ounces', ' oz'],
      ...[' stone', ' carat', ' carats'],
    ],
    [' metres', ' gs'],
  ],
  ['what it weighs', 'How much does the old bell weigh?', [' kg'], [' dollars', ' metres']],
  ['what it weighed', 'How much did a bell weigh?', [' kg'], [' dollars']],
  ['what they weigh', 'How much do bells weigh?', [' kg'], [' dollars']],
  ['what it can weigh', 'How much can bells weigh?', [' kg'], [' dollars']],
  ['weight', 'What is the full weight?', [' kg'], [' metres']],
  ['mass', 'What mass has it?', [' kg'], [' metres']],
  ['tonnage', 'Which tonnage has it?', [' tons'], [' metres']],
  [
    'speeds',
    'How fast is it?',
    [' km/h', ' kmh', ' mph', ' knot', ' knots', ' mach', ' metres'],
    [' kg', ' years'],
  ],
  ['speed', 'What is the highest speed?', [' knots'], [' kg']],
  ['velocity', 'What velocity has it?', [' knots'], [' kg']],
  ...(['hot', 'cold', 'warm'] as const).map(
    word =>
      [
        word,
        `How ${word} is it?`,
        ['°', 'º', ' degree', ' degrees', ' C', ' F', ' K', ' celsius', ' fahrenheit', ' kelvin'],
        [' Km', ' metres'],
      ] as const,
  ),
  ['temperature', 'What is the mean water temperature?', [' degrees'], [' metres']],
  ...(['percentage', 'per cent', 'percent', 'proportion', 'share'] as const).map(
    word => [word, `What large ${word} is ice?`, ['%', ' per cent', ' percent'], [' kg']] as const,
  ),
  [
    'amounts',
    'How much was paid?',
    [
      ...[' dollar', ' dollars', ' pound', ' pounds', ' euro', ' euros', ' cent', ' cents'],
      ...[' pence', ' crown', ' crowns', ' franc', ' francs', ' mark', ' marks', ' yen', ' rupee'],
      ...[' rupees', ' peso', ' pesos', ' rouble', ' roubles', ' ruble', ' rubles', ' USD'],
      ...[' EUR', ' GBP', ' kg', '%', ' metres', ' square', ' sq', ' acre', ' acres'],
      ...[' hectare', ' hectares', ' m2', ' km2', ' km²', ' m²', ' sq. miles', ' years', ' litre'],
      ...[' litres', ' liters', ' gallon', ' gallons', ' barrel', ' barrels'],
    ],
    [' lamps', ' knots'],
  ],
];

describe('the units of', () => {
  for (const [name, question, fit, other] of UNITS)
    test(name, () => {
      const units = unitsWanted(question)!;
      for (const unit of fit) assert.match(unit, units);
      for (const unit of other) assert.doesNotMatch(unit, units);
    });

  test('nothing, for questions that ask for no measure', () => {
    for (const question of [
      'Who built it?',
      'Show tall ships: who built them?',
      'How tallish is it?',
      'Show longer films.',
      'Who knows how longing ends?',
      'Show heavy bells.',
      'How heavyset was he?',
      'Show fast ships.',
      'How fasting began?',
      'Show hot springs.',
      'How hotels began?',
      'How muchly?',
      'Somewhat length of it?',
      'What lengthy talk?',
      'What weights?',
      'What speeding?',
      'What temperatures?',
      'What shares?',
      'What heights?',
      'What is the best of all known heights?',
      'What is one of all the few height signs?',
      'What of all the known length?',
      'In what town of old did they share?',
    ])
      assert.equal(unitsWanted(question), undefined, question);
  });

  test('a comparison', () => {
    for (const [words, fit, other] of [
      [
        'taller tallest higher highest deeper deepest longer longest wider widest shorter shortest lower lowest',
        ' metres',
        ' kg',
      ],
      ['heavier heaviest lighter lightest', ' kg', ' metres'],
      ['larger largest bigger biggest smaller smallest', ' acres', ' kg'],
    ] as const)
      for (const word of words.split(' ')) {
        const units = unitsCompared(`Which is ${word}?`)!;
        assert.match(fit, units);
        assert.doesNotMatch(other, units);
        assert.equal(unitsCompared(`Which is x${word}?`), undefined);
        assert.equal(unitsCompared(`Which is ${word}x?`), undefined);
      }
    assert.match(' km', unitsCompared('Which is larger?')!);
    assert.equal(unitsCompared('Which is older?'), undefined);
  });

  test('one dimension, but not of the words of the same', () => {
    const units = (question: string): RegExp => unitsWanted(question)!;
    assert.match(' m high', units('How tall is it?'));
    assert.match(' m broad', units('How wide is it?'));
    assert.doesNotMatch(' m deep', units('How wide is it?'));
    assert.doesNotMatch(' m long', units('How thick is it?'));
    assert.doesNotMatch(' m broad', units('how Deep is it?'));
    assert.match(' m deeply', units('How wide is it?'));
    assert.match(' m deep', units('How far is it?'));
    assert.match(' m deep', units('What is the height of it?'));
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
    ['It is 214 metres deep.', '214', 'How deep is it?', true],
    ['It is 214 metres deep.', '214 metres', 'How deep is it?', true],
    ['It is 1,200.5 m deep.', '1,200.5', 'How deep is it?', true],
    ['It is 9 m deep.', '9', 'How deep is it?', true],
    ['It is twenty-one metres deep.', 'twenty-one', 'How deep is it?', true],
    ['It is nine metres deep.', 'nine', 'How deep is it?', true],
    ['It is 214 lamps and 9 m deep.', '214', 'How deep is it?', false],
    ['It cost $40 in all.', '$40', 'How much was it?', true],
    ['It cost £40 in all.', '£40', 'How much was it?', true],
    ['It cost €40 in all.', '€40', 'How much was it?', true],
    ['It cost ¥40 in all.', '¥40', 'How much was it?', true],
    ['It cost 40$ in all.', '40', 'How much was it?', false],
    ['It is $40 deep.', '$40', 'How deep is it?', false],
    ['It is $40 m deep.', '$40', 'How deep is it?', true],
    ['It is £40 m deep.', '£40', 'How deep is it?', true],
    ['It is €40 m deep.', '€40', 'How deep is it?', true],
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
