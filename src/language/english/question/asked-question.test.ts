/** Checks the kind of answer that questions ask for, its noun, its types, and where they ask. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { wordStem } from '../words/verb-forms.ts';
import { askedQuestion } from './asked-question.ts';

describe('the kind of answer', () => {
  for (const [kind, ...questions] of [
    ['person', 'Whom did it help?', 'which actor is it?', 'What man is it?', 'In 1950, who left?'],
    ['time', 'When did it open?', 'What decades did it open?', 'What was the date in the book?'],
    ['time', 'Which birth year has it?', 'The treaty was signed on which date, in Holm?'],
    ['place', 'Where is it?', 'Which city is it in?', 'What is the capital of Holm?'],
    ['number', 'What is the height of the lamp?', 'What budget has it?', 'how WARM is it?'],
    ['nationality', 'What is the citizenship of Orla?'],
    [
      'thing',
      'How did it end?',
      'Which film won?',
      'Name the lamp.',
      '',
      'What xdates did it open?',
    ],
    ['thing', 'How very old is it?', 'What are the lamps of the year?', 'Doing it.', 'Willing.'],
    ['verdict', 'do they leave?', '"HAD they left?', 'Is it the one who left?'],
    ['verdict', 'After A won in 1990, did B win?', 'Are Orla and Tam both singers?'],
  ] as const)
    for (const question of questions)
      test(`of "${question}" is ${kind}`, () => assert.equal(askedQuestion(question).kind, kind));
});

describe('the word that asks', () => {
  for (const [question, at, kind] of [
    ['In which year did the man who sang leave?', 3, 'time'],
    ['The man who left was in which city?', 24, 'place'],
    ['The treaty, which was signed late, was signed on which date?', 49, 'time'],
    ['There is a lamp that was lit; in what year was it?', 33, 'time'],
    ['There is a lamp.xy who lit it, in which city?', 34, 'place'],
    ['“Who left it in which city?', 1, 'person'],
    ['Lamps which are now old were lit by whom?', 36, 'person'],
    ['He lit what is now lost, where who was then keeper?', 25, 'place'],
    ['The singer of which song is a man who left?', 14, 'thing'],
    ['During which city did a man who left go?', 7, 'place'],
    ['Did the man who left return?', -1, 'verdict'],
    ['The lamp that stood was lit.', -1, 'thing'],
  ] as const)
    test(`of "${question}" stands at ${at}`, () => {
      const asked = askedQuestion(question);
      assert.deepEqual([asked.at, asked.kind, asked.text], [at, kind, question]);
    });
});

describe('the noun that is asked for', () => {
  for (const [question, noun, head, ...types] of [
    ['Which rowing club won?', 'club', 'rowing club', 'team'],
    ['What is the name of the waterfall?', 'waterfall', 'waterfall', 'place'],
    ['What other kind of ship is it?', 'ship', 'ship', 'vessel'],
    ['What types of an award are they?', 'award', 'award', 'award'],
    ['Who were the old ship keepers who left?', 'keepers', '', 'person'],
    ['Who is a sea-king?', 'sea-king', '', 'person'],
    ['Who has it, is the keeper?', '', '', 'person'],
    ['What lamp is the kind of ship?', 'lamp', 'lamp'],
    ['What did she write, film or book?', '', ''],
    ['Which film, of all, won?', 'film', 'film', 'work'],
    ['Which grand old grey harbour lamp burnt?', 'harbour', 'grand old grey harbour', 'place'],
    ['Which year was it?', 'year', 'year'],
    ['Where is the ship?', 'ship', '', 'place', 'vessel'],
    ['Which station won?', 'station', 'station', 'organisation', 'building'],
    ['Is it a ship?', '', ''],
    ['Which architect restored the old house?', 'architect', 'architect', 'person'],
  ] as const)
    test(`of "${question}"`, () => {
      const asked = askedQuestion(question);
      assert.equal(asked.noun, wordStem(noun));
      assert.deepEqual([...asked.head], head === '' ? [] : head.split(' ').map(wordStem));
      assert.deepEqual(asked.types, types);
    });
});

test('other things that a question describes are nouns after a determiner', () => {
  for (const [question, ...nouns] of [
    ['Who built the ship of the winner?', 'ship', 'winner'],
    ['Which ship did the ship keeper of Holm build?', 'keeper'],
    ['Who lit that lamp which burnt, and an oil jar?', 'lamp', 'oil', 'jar'],
    ['Who, whose lamp burnt, left his inn?', 'lamp', 'burnt', 'inn'],
    ['Who lit the Lamp? Who lit lamps? Who lit the of lamp?'],
  ] as const)
    assert.deepEqual([...askedQuestion(question!).described], nouns.map(wordStem), question);
});

test('a clause behind a verb describes another thing: the question is nested', () => {
  for (const question of [
    'Which firm owns the ship from which he fell?',
    'Which firm owns the old ship built by Ulf?',
    'Which firm owns a ship whose mast fell?',
    'Which firm hired her son whom he met?',
    'Which firm owns the ship he led?',
    'Who now runs the old grey ship that sank?',
  ])
    assert.ok(askedQuestion(question).nested, question);
  for (const question of [
    'Which firm owns the ship?',
    'Which firm owns theory ship that sank?',
    'Which firm owns ships that sank?',
    'Which the ship that sank?',
    'Who now runs the old grey ship of state that sank?',
    'Is it the ship that sank?',
  ])
    assert.ok(!askedQuestion(question).nested, question);
});

test('the verb follows who, or which and a noun that can act', () => {
  for (const [question, verb] of [
    ['Who owns the Brill Mill?', 'owns'],
    ['Who has restored the Brill Mill?', 'restored'],
    ['Which company bought the Brill Mill?', 'bought'],
    ['Who is the keeper of the mill?', ''],
    ['Who did Brill play against?', ''],
    ['Which album sold best?', ''],
    ['Which actress appeared in the mill?', ''],
    ['In which year was the mill built?', ''],
  ] as const)
    assert.equal(askedQuestion(question).verb, verb, question);
});

test('a verb ends what is asked for after a noun of a known type', () => {
  const { noun, kind, types } = askedQuestion('Which architect restored the old house?');
  assert.deepEqual([noun, kind, types], [wordStem('architect'), 'person', ['person']]);
  assert.equal(askedQuestion('Which company owns the mill?').noun, wordStem('company'));
  assert.equal(askedQuestion('Which united team won?').noun, wordStem('team'));
});
