/** Checks what sentences tell of names: nouns in apposition, roles, speech, pronouns and places. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { wordStem } from '../words/verb-forms.ts';
import { CanonicalNames } from './canonical-names.ts';
import type { Mention } from './mentions.ts';
import { type NameKind, nameKinds, nounStems } from './name-kinds.ts';

/** Reads sentences in which the names are mentioned wherever they stand. */
function kindsOf(texts: readonly string[], names: readonly string[]): Map<string, NameKind> {
  const mentionsIn = (text: string): Mention[] =>
    names.flatMap(name =>
      [...text.matchAll(new RegExp(name, 'gu'))].map(
        ({ index }): Mention => ({
          ...{ kind: 'name', text: name, start: index, end: index + name.length },
        }),
      ),
    );
  return nameKinds(
    texts.map(text => ({ text, mentions: mentionsIn(text) })),
    new CanonicalNames(names),
  );
}
const tarn = (...texts: string[]): NameKind => kindsOf(texts, ['Ilva Tarn']).get('ilva tarn')!;
const called = (text: string): string[] => [...tarn(text).called];

describe('a name is called', () => {
  for (const [text, ...nouns] of [
    ['They met the welder Ilva Tarn.', 'welder'],
    ['They met a welder, Ilva Tarn.', 'welder'],
    ['They took the ship “Ilva Tarn”.', 'ship'],
    ['They took the ship "Ilva Tarn".', 'ship'],
    ['They met the Welder Ilva Tarn.'],
    ['They went with Ilva Tarn.'],
    ['They go up Ilva Tarn.'],
    ['They met welders; Ilva Tarn left.'],
    ['Ilva Tarn, the welder of note, left.', 'welder'],
    ['Ilva Tarn, a welder of note, left.', 'welder'],
    ['Ilva Tarn, an engraver of note, left.', 'engraver'],
    ['Ilva Tarn, its welder of note, left.', 'welder'],
    ['Ilva Tarn, his welder of note, left.', 'welder'],
    ['Ilva Tarn, her welder of note, left.', 'welder'],
    ['Ilva Tarn, their welder of note, left.', 'welder'],
    ['Ilva Tarn, one of the welders of note, left.', 'welder'],
    ['Ilva Tarn is a welder.', 'welder'],
    ['Ilva Tarn was a welder.', 'welder'],
    ['Ilva Tarn are a guild.', 'guild'],
    ['Ilva Tarn were a guild.', 'guild'],
    ['“Ilva Tarn” is a song.', 'song'],
    ['"Ilva Tarn" is a song.', 'song'],
    ['Ilva Tarn (born 1901) is a welder.', 'welder'],
    ['Ilva Tarn (born 1901), a welder of note, left.', 'welder'],
    ['Ilva Tarn ((1)) is a welder.'],
    ['Ilva Tarn is welder.'],
    ['Ilva Tarn met a welder.'],
    ['Ilva Tarn left and is a welder.'],
    ['Ilva Tarn is a small, grey ship.', 'small', 'grey', 'ship'],
    ['Ilva Tarn is a poet and welder.', 'poet', 'welder'],
    ['Ilva Tarn is a poet from the north.', 'poet'],
    ['Ilva Tarn is a poet, which is rare.', 'poet'],
    ['Ilva Tarn is a Danish ox poet.', 'poet'],
    ['Ilva Tarn is a ship-wright.', 'ship-wright'],
    [
      'Ilva Tarn is a red blue green small grand loud calm wild mild poet.',
      ...['red', 'blue', 'green', 'small', 'grand', 'loud', 'calm', 'wild', 'mild'],
    ],
    [
      'Ilva Tarn is a red blue green small grand loud calm wild poet.',
      ...['red', 'blue', 'green', 'small', 'grand', 'loud', 'calm', 'wild', 'poet'],
    ],
  ] as const)
    test(nouns.join(' ') || `nothing in "${text}"`, () =>
      assert.deepEqual(called(text!), nouns.map(wordStem)),
    );

  test('by all sentences, each noun once', () =>
    assert.deepEqual(
      [
        ...tarn(
          'The welder Ilva Tarn left.',
          'Ilva Tarn is a welder.',
          'Ilva Tarn, a poet of note.',
        ).called,
      ],
      ['welder', 'poet'],
    ));
});

describe('the types of a name', () => {
  const types = (...texts: string[]): string[] => [...tarn(...texts).types];
  test('are those of the last noun of a phrase that has any', () => {
    assert.deepEqual(types('Ilva Tarn is a film actor.'), ['person']);
    assert.deepEqual(types('Ilva Tarn is a film thing.'), ['work']);
    assert.deepEqual(types('Ilva Tarn is a grey thing.'), []);
  });
  test('are those of every phrase', () =>
    assert.deepEqual(types('The ship Ilva Tarn is a film.'), ['vessel', 'work']));
});

describe('a name speaks', () => {
  for (const verb of [
    ...['said', 'says', 'told', 'tells', 'wrote', 'added', 'argued', 'explained', 'replied'],
    ...['asked', 'recalled', 'remembers', 'himself', 'herself', 'who', 'whose'],
  ])
    test(`before "${verb}"`, () => {
      assert.ok(tarn(`Ilva Tarn ${verb} so.`).speaks);
      assert.ok(tarn(`Ilva Tarn, ${verb} so.`).speaks);
      assert.ok(tarn(`Ilva Tarn, 47, ${verb} so.`).speaks);
      assert.ok(!tarn(`Ilva Tarn ${verb}x so.`).speaks);
      assert.ok(!tarn(`Ilva Tarn left, ${verb} so.`).speaks);
    });
  test('in any of its sentences', () => {
    assert.ok(tarn('Ilva Tarn said so.', 'Ilva Tarn left.').speaks);
    assert.ok(!tarn('Ilva Tarn left.', 'He said so of Ilva Tarn.').speaks);
    assert.ok(!tarn('Ilva Tarn, 1947, said so.').speaks);
    assert.ok(!tarn('Ilva Tarn, x7, said so.').speaks);
  });
});

describe('a role precedes a name', () => {
  for (const role of [
    ...['Mr', 'Mr.', 'mr', 'Mrs', 'mrs.', 'Ms', 'ms', 'Dr', 'dr.', 'Sir', 'sir', 'Prof.', 'prof'],
    ...['Mayor', 'mayor', 'President', 'president', 'Captain', 'captain', 'Chair', 'chairwoman'],
    ...['Coach', 'coach', 'Judge', 'judge', 'Minister', 'minister', 'Senator', 'senator'],
    ...['Governor', 'governor', 'Professor', 'professor', 'violinist', 'historian', 'actress'],
    ...['baker', 'sailor', 'boatman', 'boatwoman', 'Chairman', 'captain,'],
  ])
    test(role, () => {
      assert.ok(tarn(`They met ${role} Ilva Tarn.`).role);
      assert.ok(!tarn(`They met ${role}; Ilva Tarn left.`).role);
    });
  for (const other of ['the', 'Xmayor', 'other', 'over,', 'Baker', 'whether', 'Mayor of', 'Herman'])
    test(`and "${other}" is none`, () => assert.ok(!tarn(`They met ${other} Ilva Tarn.`).role));
  test('in any of its sentences, near it', () => {
    assert.ok(tarn('The baker Ilva Tarn left.', 'Ilva Tarn left.').role);
    assert.ok(!tarn('Ilva Tarn left.', 'Ilva Tarn came.').role);
  });
});

describe('shares of mentions', () => {
  test('after a preposition of place', () => {
    for (const word of [
      'in',
      'at',
      'near',
      'from',
      'off',
      'outside',
      'across',
      'toward',
      'towards',
    ])
      for (const text of [`It lay ${word} Ilva Tarn.`, `It lay ${word} the Ilva Tarn.`])
        assert.equal(tarn(text).place, 1, text);
    assert.equal(tarn('In Ilva Tarn it lay.').place, 1);
    assert.equal(tarn('It lay within Ilva Tarn.').place, 0);
    assert.equal(tarn('It lay in an Ilva Tarn.').place, 0);
    assert.equal(tarn('It lay in Ilva Tarn.', 'Ilva Tarn left.', 'Ilva Tarn.', 'x').place, 1 / 3);
    assert.equal(tarn('It lay in Ilva Tarn near Ilva Tarn.').place, 1);
  });

  test('before a pronoun of persons, in their sentence', () => {
    for (const word of ['he', 'she', 'his', 'her', 'him', 'hers', 'himself', 'herself', 'who'])
      assert.equal(tarn(`With Ilva Tarn came ${word}.`).personal, 1, word);
    assert.equal(tarn('With Ilva Tarn came heat.').personal, 0);
    assert.equal(tarn('With Ilva Tarn came the.').personal, 0);
    assert.equal(tarn('With him came Ilva Tarn.').personal, 0);
    assert.equal(tarn('Ilva Tarn met her.', 'Ilva Tarn left.').personal, 1 / 2);
  });

  test('reach no other name', () => {
    const kinds = kindsOf(['In Dunmar the baker Ilva Tarn said so.'], ['Ilva Tarn', 'Dunmar']);
    const { place, role, speaks } = kinds.get('dunmar')!;
    assert.deepEqual([place, role, speaks], [1, false, false]);
    assert.deepEqual(kinds.get('ilva tarn')!.place, 0);
  });
});

describe('a person', () => {
  const person = (texts: readonly string[], names: readonly string[], key: string): boolean =>
    kindsOf(texts, names).get(key)!.person;
  for (const [name, texts, names, key, expected] of [
    [
      'has a last name alone',
      ['Ilva Tarn left.', 'Tarn left.'],
      ['Ilva Tarn', 'Tarn'],
      'ilva tarn',
      true,
    ],
    [
      'is not called by a first name alone',
      ['Ilva Tarn left.', 'Ilva left.'],
      ['Ilva Tarn', 'Ilva'],
      'ilva tarn',
      false,
    ],
    [
      'has its last name in a sentence',
      ['Ilva Tarn left.'],
      ['Ilva Tarn', 'Tarns'],
      'ilva tarn',
      false,
    ],
    [
      'has three words',
      ['Ilva Ro Tarn.', 'Tarn left.'],
      ['Ilva Ro Tarn', 'Tarn'],
      'ilva ro tarn',
      true,
    ],
    [
      'has no four',
      ['Ilva Ro Bo Tarn.', 'Tarn left.'],
      ['Ilva Ro Bo Tarn', 'Tarn'],
      'ilva ro bo tarn',
      false,
    ],
    ['has no one', ['Tarn left.'], ['Tarn'], 'tarn', false],
    ['has no digit', ['Pier 4 Tarn.', 'Tarn left.'], ['Pier 4 Tarn', 'Tarn'], 'pier 4 tarn', false],
  ] as const)
    test(name, () => assert.equal(person(texts, names, key), expected));
});

test('an abbreviated name counts for the whole one, an inner name not at all', () => {
  const kinds = kindsOf(['The baker Ilva Tarn left.', 'Tarn said so.'], ['Ilva Tarn', 'Tarn']);
  assert.deepEqual([...kinds.keys()], ['ilva tarn']);
  const { role, speaks } = kinds.get('ilva tarn')!;
  assert.deepEqual([role, speaks], [true, true]);
});

test('patterns see 60 characters before a name', () => {
  const role = (blanks: number): boolean => tarn(`${'r'.repeat(blanks)}ist Ilva Tarn`).role;
  assert.ok(role(200) && role(50));
  assert.ok(tarn(`${'x'.repeat(200)} captain Ilva Tarn`).role);
});

test('the nouns of a phrase are its stems, without short words and stop words', () => {
  assert.deepEqual([...nounStems('The Old Lamps of my ox')], ['old', 'lamp']);
  assert.deepEqual([...nounStems('')], []);
});
