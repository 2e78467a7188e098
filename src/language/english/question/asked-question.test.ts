/** Checks the kind of answer that questions ask for, its noun, its types, and where they ask. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { wordStem } from '../words/verb-forms.ts';
import { askedQuestion } from './asked-question.ts';

describe('the kind of answer', () => {
  for (const [kind, ...questions] of [
    [
      'person',
      ...['Who left?', 'Whom did it help?', 'Whose lamp is it?', 'which actor is it?'],
      ...['What man is it?', 'In 1950, who left?'],
    ],
    ['time', 'When did it open?', 'when was it?'],
    ...[
      ...['year', 'years', 'date', 'dates', 'day', 'days', 'month', 'months', 'decade', 'decades'],
      ...['century', 'birthday', 'era', 'time'],
    ].flatMap(noun => [
      ['time', `What ${noun} did it open?`] as const,
      ['thing', `What x${noun} did it open?`] as const,
      ['thing', `What ${noun}x did it open?`] as const,
    ]),
    ['place', 'Where is it?', 'Which city is it in?', 'What is the capital of Holm?'],
    ...[
      ...['number', 'population', 'amount', 'percentage', 'percent', 'proportion', 'height'],
      ...['length', 'width', 'depth', 'elevation', 'altitude', 'distance', 'weight', 'mass'],
      ...['speed', 'temperature', 'snowfall', 'rainfall', 'age', 'size', 'area', 'capacity'],
      ...['attendance', 'score', 'price', 'cost', 'budget', 'salary', 'revenue'],
    ].flatMap(noun => [
      ['number', `What is the ${noun} of the lamp?`, `What ${noun} has it?`] as const,
      ['thing', `What is the ${noun}x of the lamp?`] as const,
      ['thing', `What is the x${noun} of the lamp?`] as const,
    ]),
    ...[
      ...['many', 'much', 'old', 'long', 'tall', 'high', 'far', 'large', 'big', 'deep', 'wide'],
      ...['heavy', 'fast', 'thick', 'hot', 'cold', 'warm'],
    ].flatMap(word => [
      ['number', `How ${word} is it?`, `how ${word.toUpperCase()} is it?`] as const,
      ['thing', `How ${word}x is it?`] as const,
      ['thing', `How very ${word} is it?`] as const,
    ]),
    ['nationality', 'What nationality has she?', 'What is the citizenship of Orla?'],
    ['thing', 'What nationalityx has she?', 'What xcitizenship has she?', 'What did she write?'],
    ['thing', 'How did it end?', 'Which film won?', 'Name the lamp.', ''],
    ['thing', 'What is it of all that grew in the year?'],
    ['place', 'What is the area district of the lamp?'].slice(0, 1) as ['place'],
    ...['do', 'does', 'did', 'is', 'are', 'was', 'were', 'has', 'have', 'had', 'can', 'could'].map(
      word => ['verdict', `${word} they leave?`, `"${word.toUpperCase()} they leave?`] as const,
    ),
    ['verdict', 'Will it end?', 'Would it end?', 'Should it end?', 'Is it the one who left?'],
    ['thing', 'Doing it.', 'Now is it?', 'Willing.'],
  ] as const)
    for (const question of questions)
      test(`of "${question}" is ${kind}`, () => assert.equal(askedQuestion(question).kind, kind));

  test('is that of the noun between "is the" and the next "of" or "in"', () => {
    assert.equal(askedQuestion('What is the date of the storm?').kind, 'time');
    assert.equal(askedQuestion('What was the date in the book?').kind, 'time');
    assert.equal(askedQuestion('What were the dates?').kind, 'time');
    assert.equal(askedQuestion('What was the date').kind, 'time');
    assert.equal(askedQuestion('Which birth year has it?').kind, 'time');
    assert.equal(askedQuestion('What are the lamps of the year?').kind, 'thing');
    assert.equal(askedQuestion('What are the lamps in the year?').kind, 'thing');
  });
});

describe('the word that asks', () => {
  for (const [question, at, kind] of [
    ['Who left?', 0, 'person'],
    ['In which year did the man who sang leave?', 3, 'time'],
    ['The man who left was in which city?', 24, 'place'],
    ['The man left the city when?', 22, 'time'],
    ['The treaty, which was signed late, was signed on which date?', 49, 'time'],
    ['There is a lamp that was lit. Who lit it?', 30, 'person'],
    ['There is a lamp which was old. Who lit it?', 31, 'person'],
    ['There is a lamp.xy who lit it, in which city?', 34, 'place'],
    ['“Who left it in which city?', 1, 'person'],
    ['He said: “Who left it in which city?', 10, 'person'],
    ['There is a lamp that was lit; in what year was it?', 33, 'time'],
    ['There is a lamp: when was it lit?', 17, 'time'],
    ['There is a lamp! Where is it?', 17, 'place'],
    ['Lamps which are now old were lit by whom?', 36, 'person'],
    ['He lit what is now lost, where who was then keeper?', 25, 'place'],
    ['He lit what are now lamps, where?', 27, 'place'],
    ['He lit what became a lamp, where?', 27, 'place'],
    ['He lit what is nowhere, where?', 24, 'place'],
    ['Did the man who left return?', -1, 'verdict'],
    ['The lamp that stood was lit.', -1, 'thing'],
    ['The lamp who would become old, where did it stand?', 31, 'place'],
    ['The lamp where they stood', 9, 'place'],
    ['The singer of which song is a man who left?', 14, 'thing'],
    ['', -1, 'thing'],
    ...['In', 'On', 'At', 'For', 'Of', 'From', 'To', 'By', 'Under', 'With', 'During', 'Between']
      .concat('About', 'And')
      .map(
        word => [`${word} which city did a man who left go?`, word.length + 1, 'place'] as const,
      ),
  ] as const)
    test(`of "${question}" stands at ${at}`, () => {
      const asked = askedQuestion(question);
      assert.equal(asked.at, at);
      if (kind !== 'thing') assert.equal(asked.kind, kind);
    });

  test('the text is kept', () => assert.equal(askedQuestion('Who left?').text, 'Who left?'));
});

describe('the noun that is asked for', () => {
  for (const [question, noun, head, types] of [
    ['Which rowing club won?', 'club', ['rowing', 'club', 'won'].slice(0, 2), ['team']],
    ['Which city was it?', 'city', ['city'], ['place']],
    ['What is the name of the waterfall?', 'waterfall', ['waterfall'], ['place']],
    ['What was the name of that waterfall?', 'waterfall', ['waterfall'], ['place']],
    ['What are the names of the ships?', 'ships', ['ships'], ['vessel']],
    ['What were the kinds of a ship?', 'ship', ['ship'], ['vessel']],
    ['What kind of ship is it?', 'ship', ['ship'], ['vessel']],
    ['What type of an award is it?', 'award', ['award'], ['award']],
    ['What types of ships are they?', 'ships', ['ships'], ['vessel']],
    ['What sort of this ship is it?', 'ship', ['ship'], ['vessel']],
    ['What sorts of ship', 'ship', ['ship'], ['vessel']],
    ['What forms of ship', 'ship', ['ship'], ['vessel']],
    ['What form of ship', 'ship', ['ship'], ['vessel']],
    ['What style of ship', 'ship', ['ship'], ['vessel']],
    ['What styles of ship', 'ship', ['ship'], ['vessel']],
    ['What other kind of ship is it?', 'ship', ['ship'], ['vessel']],
    ['Who is the architect of it?', 'architect', [], ['person']],
    ['Who was an architect?', 'architect', [], ['person']],
    ['Who were the old ship keepers who left?', 'keepers', [], ['person']],
    ['Who are the keepers?', 'keepers', [], ['person']],
    ['Who is a sea-king?', 'sea-king', [], ['person']],
    ['Who has the lamp?', '', [], ['person']],
    ['Who has it, is the keeper?', '', [], ['person']],
    ['Who is the keeper 9?', 'keeper', [], ['person']],
    ['Who is the of lamp?', '', [], ['person']],
    ['What lamp is the kind of ship?', 'lamp', ['lamp'], []],
    ['What did she write?', '', [], []],
    ['What did she write, film or book?', '', [], []],
    ['Which film, of all, won?', 'film', ['film'], ['work']],
    [
      'Which grand old grey harbour lamp burnt?',
      'harbour',
      ['grand', 'old', 'grey', 'harbour'],
      ['place'],
    ],
    ['When was it?', '', [], []],
    ['Which year was it?', 'year', ['year'], []],
    ['Where is the ship?', 'ship', [], ['place', 'vessel']],
    ['Which director won?', 'director', ['director'], ['person']],
    ['Which nation won?', 'nation', ['nation'], ['place']],
    ['Which station won?', 'station', ['station'], ['organisation', 'building']],
    ['Which church won?', 'church', ['church'], ['organisation', 'building']],
    ['Is it a ship?', '', [], []],
  ] as const)
    test(`of "${question}"`, () => {
      const asked = askedQuestion(question);
      assert.equal(asked.noun, wordStem(noun));
      assert.deepEqual([...asked.head], head.map(wordStem));
      assert.deepEqual(asked.types, types);
    });

  test('ends before each word that breaks', () => {
    for (const word of 'is are was were did does do has had have can could will would of in for that which who from on at by with to the a an and located based as where when whose share shares won made appear appears hold holds include includes'.split(
      ' ',
    )) {
      assert.equal(askedQuestion(`What grey ship ${word} ox?`).noun, 'ship', word);
      assert.equal(askedQuestion(`What grey ship ${word.toUpperCase()} ox?`).noun, 'ship', word);
      assert.notEqual(askedQuestion(`What grey ship ${word}x ox?`).noun, 'ship', word);
    }
    for (const sign of [',', '?', ';', ':'])
      assert.equal(askedQuestion(`What grey ship${sign} ox?`).noun, 'ship');
  });
});

describe('other things that a question describes', () => {
  const described = (question: string): string[] => [...askedQuestion(question).described];
  for (const [question, ...nouns] of [
    ['Who built the ship of the winner?', 'ship', 'winner'],
    ['Which ship did the ship keeper of Holm build?', 'keeper'],
    ['Who is it? Did this old grey harbour lamp burn?', 'old', 'grey', 'harbour'],
    ['Who lit that lamp which burnt?', 'lamp'],
    ['Who lit a lamp?', 'lamp'],
    ['Who was it? Did the lamp 9 burn?', 'lamp'],
    ['Who lit an oil lamp?', 'oil', 'lamp'],
    ['Who, whose lamp burnt, left?', 'lamp', 'burnt'],
    ['Who is it? Did his lamp of old burn?', 'lamp'],
    ['Who is it? Did her lamp of old burn?', 'lamp'],
    ['Who is it? Did its lamp of old burn?', 'lamp'],
    ['Who lit the Lamp?'],
    ['Who lit lamps?'],
    ['Who lit the of lamp?'],
    ['Did the keeper leave?'],
  ] as const)
    test(`of "${question}"`, () => assert.deepEqual(described(question), nouns.map(wordStem)));
});

describe('a clause describes another thing', () => {
  for (const [question, nested] of [
    ['Which firm owns the ship that sank?', true],
    ['Which firm owns the ship which sank?', true],
    ['Which firm owns the ship from which he fell?', true],
    ['Which firm owns the ship he led?', true],
    ['Which firm owns the ship painted grey?', true],
    ['Which firm owns the ship built by Ulf?', true],
    ['Which firm owns a ship whose mast fell?', true],
    ['Which firm owns an inn where it rained?', true],
    ['Which firm hired his son who sang?', true],
    ['Which firm hired her son whom he met?', true],
    ['Which firm lost its ship that sank?', true],
    ['Which firm lost this ship that sank?', true],
    ['Which firm is it, whose ship that sank?', true],
    ['Which firm owns the old ship built by Ulf?', true],
    ['Which firm owns loathe ship that sank?', false],
    ['Which firm owns theory ship that sank?', false],
    ['Which firm owns the ship xthat sank?', false],
    ['Which firm owns the ship thatx sank?', false],
    ['Which firm owns the ship X-used sank?', false],
    ['Which firm owns the ship paintedx grey?', false],
    ['Which firm owns the ship Cled on?', false],
    ['Which firm owns the ship ledge?', false],
    ['Which ship owns that sank the firm?', false],
    ['Which firm owns the ship?', false],
    ['Which firm owns ships that sank?', false],
    ['Which the ship that sank?', false],
    ['Who won the Medal?', false],
    ['Who now runs the old grey ship of state that sank?', false],
    ['Who now runs the old grey ship that sank?', true],
    ['Who now runs the bed?', false],
    ['Who now runs the ship fed?', false],
    ['Who now runs the ship Used?', false],
    ['Is it the ship that sank?', false],
  ] as const)
    test(`in "${question}": ${nested}`, () => assert.equal(askedQuestion(question).nested, nested));
});
