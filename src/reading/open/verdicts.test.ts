/** Checks features of yes and no, and comparisons without stated relations, by worked texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choiceOf } from './choices.ts';
import { readOpen } from './passages.ts';
import { verdictOf } from './verdicts.ts';

type Fiction = readonly (readonly [title: string, text: string])[];

const reading = (question: string, passages: Fiction): ReturnType<typeof readOpen> =>
  readOpen(
    question,
    passages.map(([title]) => title),
    passages.map(([, text], part) => ({ part, text })),
  );
const yes = (question: string, passages: Fiction): ReadonlyMap<string, number> =>
  verdictOf(reading(question, passages))!.features;

const SINGERS: Fiction = [
  ['Orla Venn', 'Orla Venn (born 1901) is a Danish singer.'],
  ['Tam Quillor', 'Tam Quillor (born 1899) is a Swiss engineer.'],
];

test('a named country must be that of both', () => {
  assert.equal(yes('Are Orla Venn and Tam Quillor both Danish?', SINGERS).get('named country'), -1);
  const both = SINGERS.map(([title, text]) => [title, text.replace('Swiss', 'Danish')] as const);
  assert.equal(yes('Are Orla Venn and Tam Quillor both Danish?', both).get('named country'), 1);
});

test('nouns of the question are compared with what sentences call each thing', () => {
  const one = yes('Are Orla Venn and Tam Quillor both singers?', SINGERS);
  assert.deepEqual([one.get('both called'), one.get('one called')], [undefined, 1]);
  const both = SINGERS.map(([title, text]) => [title, text.replace('engineer', 'singer')] as const);
  assert.equal(yes('Are Orla Venn and Tam Quillor both singers?', both).get('both called'), 1);
});

test('places within a country are compared by name, and not by country', () => {
  const halls = (second: string): Fiction => [
    ['Venn Hall', 'Venn Hall is a concert hall in Dunmar, United States.'],
    ['Quill Hall', `Quill Hall is a concert hall in ${second}, United States.`],
  ];
  const question = 'Are Venn Hall and Quill Hall in the same city?';
  assert.equal(yes(question, halls('Dunmar')).get('places:common'), 1);
  assert.equal(yes(question, halls('Pellow')).get('places:common'), -1);
  assert.equal(yes(question, halls('Pellow')).get('countries:common'), undefined);
});

test('a claim about one thing is held against negation and values of the best sentence', () => {
  const said = (text: string): ReadonlyMap<string, number> =>
    yes('Did the council close the bridge in 1987?', [['Bridge', text]]);
  const plain = said('The council closed the bridge in 1987.');
  assert.deepEqual(
    [plain.get('one:negated'), plain.get('one:value missing')],
    [undefined, undefined],
  );
  assert.equal(said('The council did not close the bridge in 1987.').get('one:negated'), 1);
  assert.equal(said('The council closed the bridge in 1991.').get('one:value missing'), 1);
});

test('dates that no relation states are compared loosely, and numbers by their unit', () => {
  const wins = (question: string, passages: Fiction, feature: string): (number | undefined)[] =>
    choiceOf(reading(question, passages))!.options.map(({ features }) => features.get(feature));
  const battles: Fiction = [
    ['Battle of Dunmar', 'The Battle of Dunmar was fought on 3 May 1712.'],
    ['Battle of Pellow', 'The Battle of Pellow was fought on 9 June 1698.'],
  ];
  const first = 'Which happened first, the Battle of Dunmar or the Battle of Pellow?';
  assert.deepEqual(wins(first, battles, 'wins:loosely'), [-1, 1]);
  const towers: Fiction = [
    ['Venn Tower', 'Venn Tower, of 1950, rises 120 metres.'],
    ['Quill Tower', 'Quill Tower, of 1990, rises 90 metres.'],
  ];
  assert.deepEqual(wins('Which is taller, Venn Tower or Quill Tower?', towers, 'wins'), [1, -1]);
});

const SURVEY: Fiction = [
  ['Tessa Harlow', 'Tessa Harlow (3 March 1840 – 9 June 1902) was a surveyor.'],
  ['Jonas Mell', 'Jonas Mell (12 May 1835 – 1 January 1899) was a painter.'],
];

test('order is read from the values that both sides state', () => {
  const stated = (question: string, passages = SURVEY): boolean | undefined =>
    verdictOf(reading(question, passages))!.stated;
  for (const [question, answer] of [
    ['Did Tessa Harlow die before Jonas Mell?', false],
    ['Did Tessa Harlow die after Jonas Mell did?', true],
    ['Was Jonas Mell older than Tessa Harlow?', true],
    ['Is Tessa Harlow younger than Jonas Mell?', true],
    ['Was Tessa Harlow born earlier than Jonas Mell?', false],
    ['Did Tessa Harlow die before Jonas Mell was born?', undefined],
    ['Was Tessa Harlow a surveyor like Jonas Mell?', undefined],
  ] as const)
    assert.equal(stated(question), answer, question);
  const undated = SURVEY.map(([title, text]) => [title, text.replace(/ \(.*\)/u, '')] as const);
  assert.equal(stated('Did Tessa Harlow die before Jonas Mell?', undated), undefined);
});
