/**
 * Checks reading of open questions by hand-worked texts: dates, relations, links between passages,
 * comparisons and verdicts; every order of passages has the same verdict.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { sameName } from '../../language/english/names/canonical-names.ts';
import { countryNamed, countryOfAdjective } from '../../language/english/names/demonyms.ts';
import { findMentions } from '../../language/english/names/mentions.ts';
import { askedQuestion } from '../../language/english/question/asked-question.ts';
import { relationNamed } from '../../language/english/relations/relation-steps.ts';
import { statements } from '../../language/english/relations/statements.ts';
import { compareTimes, findTimes } from '../../language/english/values/time-values.ts';
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

describe('dates', () => {
  test('have the precision with which they are written', () => {
    const found = findTimes('On 4 May 1901, in May 1902, on May 5, 1903 and in 1904.');
    assert.deepEqual(
      found.map(({ year, month, day }) => [year, month, day]),
      [
        [1901, 5, 4],
        [1902, 5, 0],
        [1903, 5, 5],
        [1904, 0, 0],
      ],
    );
  });

  test('compare by their known parts alone, in either order', () => {
    const date = fc.record({
      year: fc.integer({ min: 1000, max: 2030 }),
      month: fc.integer({ min: 0, max: 12 }),
      day: fc.integer({ min: 0, max: 28 }),
    });
    fc.assert(
      fc.property(date, date, (a, b) => {
        assert.equal(Math.sign(compareTimes(a, b)), 0 - Math.sign(compareTimes(b, a)));
        if (a.year === b.year && a.month === 0) assert.equal(compareTimes(a, b), 0);
      }),
    );
  });
});

test('mentions are substrings at their offsets, in any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), text => {
      for (const { start, end, text: own } of findMentions(text))
        assert.equal(text.slice(start, end), own);
    }),
  );
});

test('countries are found by name, alias and adjective', () => {
  assert.equal(countryNamed('the United States'), 'United States');
  assert.equal(countryNamed('USSR'), 'Soviet Union');
  assert.equal(countryOfAdjective('Danish'), 'Denmark');
  assert.equal(countryOfAdjective('Marrowick'), undefined);
});

test('names match by all words of the shorter one', () => {
  assert.ok(sameName('Sir Tam Quillor', 'Tam Quillor'));
  assert.ok(!sameName('Quillor', 'Tam Quillor'));
  assert.ok(!sameName('Tam Venn', 'Tam Quillor'));
});

describe('a question', () => {
  for (const [text, kind] of [
    ['Who directed Grey Lanterns?', 'person'],
    ['When was Orla Venn born?', 'time'],
    ['In which city did Tam Quillor die?', 'place'],
    ['What nationality is Orla Venn?', 'nationality'],
    ['How many lamps are there?', 'number'],
    ['Are Orla Venn and Tam Quillor both Danish?', 'verdict'],
    ['What did Orla Venn write?', 'thing'],
  ] as const)
    test(`${text} asks for: ${kind}`, () => assert.equal(askedQuestion(text).kind, kind));

  test('asks for relations from its anchor on', () => {
    const { steps } = readTexts('Where was the director of Grey Lanterns born?', FILMS);
    assert.deepEqual(
      steps.map(({ relation }) => relation.name),
      ['director', 'place of birth'],
    );
  });
});

test('relations are stated by the words around a value', () => {
  const text = 'Orla Venn (born 4 May 1901 – 2 March 1970) was the daughter of Ulf Venn.';
  const stated = (name: string): string[] =>
    statements({ text, place: 0, mentions: findMentions(text) }, [relationNamed(name)]).map(
      ({ mention }) => mention.text,
    );
  assert.ok(stated('father').includes('Ulf Venn'));
  assert.ok(stated('date of birth').includes('4 May 1901'));
  assert.ok(!stated('date of birth').includes('2 March 1970'));
  assert.ok(stated('date of death').includes('2 March 1970'));
});

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
