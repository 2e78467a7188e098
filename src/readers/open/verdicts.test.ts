/** Checks features of yes and no, and comparisons without stated relations, by worked texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choiceOf } from './choices.ts';
import { readTexts, type Texts } from './read-texts.ts';
import { orderedVerdict, verdictOf } from './verdicts.ts';

const yes = (question: string, passages: Texts): ReadonlyMap<string, number> =>
  verdictOf(readTexts(question, passages))!.features;

const SINGERS: Texts = [
  ['Orla Venn', 'Orla Venn (born 1901) is a Danish singer.'],
  ['Tam Quillor', 'Tam Quillor (born 1899) is a Swiss engineer.'],
];

test('a named country must be that of both', () => {
  assert.equal(yes('Are Orla Venn and Tam Quillor both Danish?', SINGERS).get('named country'), -1);
  const both = SINGERS.map(([title, text]) => [title, text!.replace('Swiss', 'Danish')] as const);
  assert.equal(yes('Are Orla Venn and Tam Quillor both Danish?', both).get('named country'), 1);
});

test('nouns of the question are compared with what sentences call each thing', () => {
  const first = yes('Are Orla Venn and Tam Quillor both singers?', SINGERS);
  assert.deepEqual([first.get('both called'), first.get('one called')], [undefined, 1]);
  const both = SINGERS.map(
    ([title, text]) => [title, text!.replace('engineer', 'singer')] as const,
  );
  assert.equal(yes('Are Orla Venn and Tam Quillor both singers?', both).get('both called'), 1);
});

test('places within a country are compared by name, and not by country', () => {
  const halls = (second: string): Texts => [
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
  const wins = (question: string, passages: Texts, feature: string): (number | undefined)[] =>
    choiceOf(readTexts(question, passages))!.options.map(({ features }) => features.get(feature));
  const battles: Texts = [
    ['Battle of Dunmar', 'The Battle of Dunmar was fought on 3 May 1712.'],
    ['Battle of Pellow', 'The Battle of Pellow was fought on 9 June 1698.'],
  ];
  const first = 'Which happened first, the Battle of Dunmar or the Battle of Pellow?';
  assert.deepEqual(wins(first, battles, 'wins:loosely'), [-1, 1]);
  const towers: Texts = [
    ['Venn Tower', 'Venn Tower, of 1950, rises 120 metres.'],
    ['Quill Tower', 'Quill Tower, of 1990, rises 90 metres.'],
  ];
  assert.deepEqual(wins('Which is taller, Venn Tower or Quill Tower?', towers, 'wins'), [1, -1]);
});

const ONE = 'Orla Venn was born in 1901 and died in 1950.';
const TWO = 'Tam Quillor was born in 1905 and died in 1940.';
const verdict = (question: string, first = ONE, two = TWO) =>
  orderedVerdict(
    readTexts(question, [
      ['Tam Quillor', two],
      ['Orla Venn', first],
      ['Ida Holm', 'No.'],
    ]),
  );

for (const [question, yes] of [
  ['Was Orla Venn born before Tam Quillor?', true],
  ['Was Tam Quillor born before Orla Venn?', false],
  ['Was Orla Venn born after Tam Quillor?', false],
  ['Was Tam Quillor born AFTER Orla Venn?', true],
  ['Did Orla Venn die after Tam Quillor did?', true],
  ['Was Orla Venn born earlier than Tam Quillor was?', true],
  ['Was Orla Venn born sooner than Tam Quillor?', true],
  ['Was Orla Venn born later than Tam Quillor?', false],
  ['Is Orla Venn older than Tam Quillor is?', true],
  ['Is Orla Venn younger than Tam Quillor does?', false],
  ['Has Orla Venn lived longer than Tam Quillor has?', true],
  ['Were Orla Venn born before Tam Quillor were?', true],
  ['Was Orla Venn born before “Tam Quillor”', true],
  ['Was Orla Venn born beforehand Tam Quillor?', undefined],
  ['Was Orla Venn born hereafter Tam Quillor?', undefined],
  ['Was Orla Venn born before Tam Quillor left?', undefined],
  ['Was Orla Venn born before Tam Quillor and Ida Holm?', undefined],
  ['Was Orla Venn born before 1910?', undefined],
  ['Before Orla Venn was Tam Quillor born?', undefined],
] as const)
  test(`"${question}": ${yes}`, () => assert.equal(verdict(question)?.yes, yes));

test('the sentences that state the values are cited, in the order of the question', () =>
  assert.deepEqual(verdict('Was Orla Venn born before Tam Quillor?')?.sentences, [1, 0]));

test('values that no relation states, or that are equal, tell nothing', () => {
  const question = 'Was Orla Venn born before Tam Quillor?';
  assert.equal(verdict(question, 'Orla Venn, 1901.'), undefined);
  assert.equal(verdict(question, TWO, TWO), undefined);
});

test('the order of values is what a verdict states', () => {
  const passages: Texts = [
    ['Orla Venn', ONE],
    ['Tam Quillor', TWO],
  ];
  const { stated, sentences } = verdictOf(
    readTexts('Did Orla Venn die before Tam Quillor?', passages),
  )!;
  assert.deepEqual([stated, sentences], [false, [0, 1]]);
});

test('shares, likeness and citations of two things are worked by hand', () => {
  const question = 'Did Orla Venn and Tam Quillor own lamps?';
  const passages: Texts = [
    ['Orla Venn', 'Lamps, masts.'],
    ['Tam Quillor', 'Lamps, sails, decks.'],
  ];
  const { features, sentences } = verdictOf(readTexts(question, passages))!;
  const { unbound } = readTexts(question, passages);
  const total = [...unbound.values()].reduce((sum, each) => sum + each, 0);
  const share = unbound.get('lamp')! / total;
  const found = Object.fromEntries(features);
  assert.ok(Math.abs(found['least']! - share) < 1e-12 && found['least'] === found['most']);
  assert.equal(found['least:0.3'], share >= 0.3 ? 1 : undefined);
  assert.deepEqual([found['form:other'], found['alike:other']], [1, 0.5]);
  assert.deepEqual(sentences, [0, 1]);
  const unread = yes(question, [passages[0]!, ['Tam Quillor', '']]);
  assert.deepEqual(
    [unread.get('unread'), unread.get('least'), unread.get('alike:other')],
    [1, undefined, undefined],
  );
  assert.equal(features.get('unread'), undefined);
});

test('the least share is stated by its bounds', () => {
  const least = (text: string): (number | undefined)[] => {
    const found = yes('Are Orla Venn and Tam Quillor lamp mast sail?', [
      ['Orla Venn', text],
      ['Tam Quillor', 'Lamps, masts, sails.'],
    ]);
    return [0.3, 0.6, 0.9].map(bound => found.get(`least:${bound}`));
  };
  assert.deepEqual(least('Lamps, masts, sails.'), [1, 1, 1]);
  assert.deepEqual(least('Lamps, masts.'), [1, undefined, undefined]);
  assert.deepEqual(least('Decks.'), [undefined, undefined, undefined]);
});

test('the form of a question counts with the likeness of both things', () => {
  for (const [word, form] of [
    ['the same', 'same'],
    ['different', 'different'],
    ['different or the same', 'different'],
    ['old', 'other'],
  ] as const) {
    const found = yes(`Are Orla Venn and Tam Quillor ${word}?`, SINGERS);
    assert.equal(found.get(`form:${form}`), 1);
    assert.ok(found.has(`alike:${form}`));
  }
});

test('nouns of the question tell another type of a thing', () => {
  const other = (question: string, first: string, two: string): (number | undefined)[] => {
    const found = yes(question, [
      ['Orla Venn', `Orla Venn is a ${first}.`],
      ['Tam Quillor', `Tam Quillor is a ${two}.`],
    ]);
    return [found.get('both called'), found.get('one called'), found.get('other type')];
  };
  const question = 'Are Orla Venn and Tam Quillor both films?';
  assert.deepEqual(other(question, 'film', 'film'), [1, undefined, undefined]);
  assert.deepEqual(other(question, 'film', 'ship'), [undefined, 1, 1]);
  assert.deepEqual(other(question, 'song', 'song'), [undefined, undefined, undefined]);
  assert.deepEqual(other(question, 'lamp', 'lamp'), [undefined, undefined, undefined]);
  assert.deepEqual(other(question, 'ship', 'ship'), [undefined, undefined, 1]);
  for (const words of ['both lamps', 'the same films', 'different films'])
    assert.deepEqual(
      other(`Are Orla Venn and Tam Quillor ${words}?`, 'film', 'ship'),
      [undefined, undefined, undefined],
      words,
    );
});

test('a claim about one thing is held against the sentence that holds most of it', () => {
  const read = readTexts('Did the council close the bridge in 1987?', [
    ['A', 'The council met.'],
    ['B', 'The council closed the bridge.'],
  ]);
  const { features, sentences, stated } = verdictOf(read)!;
  const [, { alone }] = read.joint.joints as [unknown, { alone: number }];
  assert.deepEqual([features.get('one'), features.get('one:alone')], [1, alone]);
  assert.equal(
    features.get('one:support'),
    Math.max(alone, ...read.joint.joints[1]!.byBridge.values()),
  );
  assert.deepEqual([sentences, stated], [[1], undefined]);
  assert.deepEqual(verdictOf(readTexts('Did it close?', []))!.features.size, 0);
  assert.deepEqual(verdictOf(readTexts('Did it close?', []))!.sentences, []);
  assert.equal(verdictOf(readTexts('Who closed it?', [])), undefined);
});

test('words of negation count on either side, and not on both', () => {
  const negated = (claim: string, text: string): number | undefined =>
    yes(`Did the council close the ${claim}?`, [['A', text]]).get('one:negated');
  for (const word of [
    'not',
    'never',
    'no longer',
    'nor',
    'neither',
    'without',
    'cannot',
    'didn’t',
    "didn't",
  ])
    assert.deepEqual(
      [
        negated('bridge', `The council did ${word} close the bridge.`),
        negated(`bridge ${word}`, `The council did ${word} close the bridge.`),
        negated('bridge', `The council did x${word.replace(/’t|'t/u, 'st')}x close the bridge.`),
      ],
      [1, undefined, undefined],
      word,
    );
});
