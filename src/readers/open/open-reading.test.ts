/**
 * Checks open questions from the text to the decision: comparisons and verdicts, which every order
 * of passages leaves as they are.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { choiceOf } from './choices.ts';
import { compareThings } from './compare.ts';
import { comparedThings } from './compared-things.ts';
import { candidatesOf, decideOpen } from './decide.ts';
import { readTexts, type Texts } from './read-texts.ts';
import { verdictOf } from './verdicts.ts';

/** Passages of fiction: title and sentences. */
const LIVES: Texts = [
  ['Orla Venn', 'Orla Venn (born 4 May 1901 – 2 March 1970) was a Danish poet.'],
  ['Tam Quillor', 'Tam Quillor (7 June 1899 – 1 January 1980) was a Danish engineer.'],
];
const FILMS: Texts = [
  ['Grey Lanterns', 'Grey Lanterns is a 1931 drama film directed by Orla Venn.'],
  ['The Salt Road', 'The Salt Road is a 1929 comedy film directed by Tam Quillor.'],
  ...LIVES,
];

describe('a comparison', () => {
  const winner = (question: string, passages: Texts): string | undefined => {
    const read = readTexts(question, passages);
    const things = comparedThings(read, 'or');
    const { winner: at } = compareThings(read, things);
    return at === undefined ? undefined : things[at]!.text;
  };

  for (const [question, answer] of [
    ['Who was born first, Orla Venn or Tam Quillor?', 'Tam Quillor'],
    ['Who is younger, Orla Venn or Tam Quillor?', 'Orla Venn'],
    ['Who died earlier, Orla Venn or Tam Quillor?', 'Orla Venn'],
    ['Who lived longer, Orla Venn or Tam Quillor?', 'Tam Quillor'],
    ['Which film was released first, Grey Lanterns or The Salt Road?', 'The Salt Road'],
    ['Which film has the director born later, Grey Lanterns or The Salt Road?', 'Grey Lanterns'],
  ] as const)
    test(`${question} ${answer}, in either order of passages`, () => {
      assert.equal(winner(question, FILMS), answer);
      assert.equal(winner(question, [...FILMS].reverse()), answer);
    });

  test('follows an edited date', () => {
    const edited = LIVES.map(([title, text]) => [title, text!.replace('1899', '1909')] as const);
    assert.equal(winner('Who was born first, Orla Venn or Tam Quillor?', edited), 'Orla Venn');
  });

  test('has no winner if a value is missing', () =>
    assert.equal(
      winner('Who was born first, Orla Venn or Tam Quillor?', [LIVES[0]!, ['Tam Quillor', 'He.']]),
      undefined,
    ));
});

test('a verdict on countries reads them from the passages', () => {
  const question = 'Are Orla Venn and Tam Quillor from the same country?';
  const agreement = (passages: Texts): number | undefined =>
    verdictOf(readTexts(question, passages))?.features.get('countries:first');
  assert.equal(agreement(LIVES), 1);
  const other = LIVES.map(
    ([title, text]) => [title, text!.replace('Danish engineer', 'Swiss engineer')] as const,
  );
  assert.equal(agreement(other), -1);
});

test('an option that no passage supports is a guess: even shares, and nothing is cited', () => {
  const read = readTexts('Who was born first, Orla Venn or Tam Quillor?', [
    ['Other', 'A dog ran.'],
  ]);
  const none = { outputs: [''], bias: [0], weights: new Map() };
  const span = { weights: new Map(), biases: [], outputs: [] };
  const model = { span, choice: none, verdict: none };
  assert.ok(choiceOf(read));
  const decision = decideOpen(candidatesOf(read), model);
  assert.equal(decision?.share, 0.5);
  assert.deepEqual(decision.sentences, []);
});

describe('a question for a measure', () => {
  const spans = (question: string, text: string): string[] =>
    candidatesOf(readTexts(question, [['Lake Varn', text]])).spans.map(span => span.text);

  test('has numbers with its unit for candidates, and no year', () => {
    for (const [question, text, answer] of [
      ['How deep is Lake Varn?', 'Lake Varn, mapped in 1987, is 214 metres deep.', '214 metres'],
      ['How much did the survey cost?', 'In 1987 the survey cost $40,000.', '$40,000'],
      ['What percentage of it is ice?', 'Of Lake Varn 5.1% is ice since 1950.', '5.1'],
      ['How many islands has it?', 'It has had nineteen islands since 1987.', 'nineteen'],
    ] as const) {
      const found = spans(question, text);
      assert.ok(found.includes(answer), found.join(' | '));
      assert.ok(!found.some(span => /^19\d\d$/.test(span)), found.join(' | '));
    }
  });

  test('has none without a number of that dimension', () => {
    const text = 'Lake Varn, mapped by Orla Venn in 1987, is 12 km long.';
    assert.deepEqual(spans('How heavy is Lake Varn?', text), []);
    assert.deepEqual(spans('How deep is Lake Varn?', text), []);
  });
});
