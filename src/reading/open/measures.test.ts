/** Checks that questions for measures and counts get numbers with fitting units alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { candidatesOf } from './decide.ts';
import { readOpen } from './passages.ts';

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
