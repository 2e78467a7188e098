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
          kind: 'name',
          text: name,
          start: index,
          end: index + name.length,
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
    ['They met a welder, Ilva Tarn.', 'welder'],
    ['It stands on the island of Ilva Tarn, off the coast.', 'island'],
    ['Ilva Tarn is the next mayor of Marrow.', 'mayor'],
    ['They took the ship “Ilva Tarn”.', 'ship'],
    ['They met the Welder Ilva Tarn, went with Ilva Tarn and go up Ilva Tarn.'],
    ['Ilva Tarn, one of the welders of note, left.', 'welder'],
    ['“Ilva Tarn” is a song.', 'song'],
    ['Ilva Tarn (born 1901), his welder of note, left.', 'welder'],
    ['Ilva Tarn is welder and left a welder.'],
    ['Ilva Tarn is a small, grey ship.', 'small', 'grey', 'ship'],
    ['Ilva Tarn is a poet and welder from the north.', 'poet', 'welder'],
    ['Ilva Tarn is a poet, which is rare.', 'poet'],
    ['The welder Ilva Tarn left. Ilva Tarn is a welder. Ilva Tarn, a poet.', 'welder', 'poet'],
    [
      'Ilva Tarn is a red blue green small grand loud calm wild mild poet.',
      ...['red', 'blue', 'green', 'small', 'grand', 'loud', 'calm', 'wild', 'mild'],
    ],
  ] as const)
    test(nouns.join(' ') || `nothing in "${text}"`, () =>
      assert.deepEqual(called(text!), nouns.map(wordStem)),
    );
});

test('the types of a name are those of the last noun of each phrase that has any', () => {
  for (const [text, ...types] of [
    ['Ilva Tarn is a film actor.', 'person'],
    ['Ilva Tarn is a film thing.', 'work'],
    ['The ship Ilva Tarn is a film.', 'vessel', 'work'],
  ] as const)
    assert.deepEqual([...tarn(text!).types], types, text);
});

test('a name speaks before a verb of speech, in any of its sentences', () => {
  for (const text of [
    'Ilva Tarn argued so.',
    'Ilva Tarn, 47, who sang.',
    'Ilva Tarn herself came.',
  ])
    assert.ok(tarn('Ilva Tarn left.', text).speaks, text);
  for (const text of [
    'Ilva Tarn saidx so.',
    'Ilva Tarn left, said so.',
    'He said so of Ilva Tarn.',
  ])
    assert.ok(!tarn(text).speaks, text);
});

test('a role stands right before a name, in any of its sentences', () => {
  for (const role of ['Mrs.', 'mayor', 'Captain,', 'chairwoman', 'violinist', 'boatman'])
    assert.ok(tarn('Ilva Tarn left.', `They met ${role} Ilva Tarn.`).role, role);
  for (const other of ['the', 'Xmayor', 'other', 'over,', 'Baker', 'Mayor of', 'mayor;'])
    assert.ok(!tarn(`They met ${other} Ilva Tarn.`).role, other);
});

test('shares of mentions stand behind a preposition of place, and before a pronoun', () => {
  assert.equal(tarn('It lay in Ilva Tarn.', 'Ilva Tarn left.', 'Ilva Tarn.', 'x').place, 1 / 3);
  assert.equal(tarn('It lay towards the Ilva Tarn.').place, 1);
  assert.equal(tarn('It lay within Ilva Tarn.', 'It lay in an Ilva Tarn.').place, 0);
  assert.equal(tarn('Ilva Tarn met her.', 'Ilva Tarn left.').personal, 1 / 2);
  assert.equal(tarn('With him came Ilva Tarn.', 'With Ilva Tarn came heat.').personal, 0);
  const kinds = kindsOf(['In Dunmar the baker Ilva Tarn said so.'], ['Ilva Tarn', 'Dunmar']);
  const { place, role, speaks } = kinds.get('dunmar')!;
  assert.deepEqual([place, role, speaks], [1, false, false]);
});

test('a person has two or three words, the last of which names it alone', () => {
  for (const [texts, names, expected] of [
    [['Ilva Tarn left.', 'Tarn left.'], ['Ilva Tarn', 'Tarn'], true],
    [['Ilva Tarn left.', 'Ilva left.'], ['Ilva Tarn', 'Ilva'], false],
    [['Ilva Ro Tarn.', 'Tarn left.'], ['Ilva Ro Tarn', 'Tarn'], true],
    [['Ilva Ro Bo Tarn.', 'Tarn left.'], ['Ilva Ro Bo Tarn', 'Tarn'], false],
    [['Pier 4 Tarn.', 'Tarn left.'], ['Pier 4 Tarn', 'Tarn'], false],
  ] as const)
    assert.equal(kindsOf(texts, names).get(names[0].toLowerCase())!.person, expected, names[0]);
});

test('an abbreviated name counts for the whole one, an inner name not at all', () => {
  const kinds = kindsOf(['The baker Ilva Tarn left.', 'Tarn said so.'], ['Ilva Tarn', 'Tarn']);
  assert.deepEqual([...kinds.keys()], ['ilva tarn']);
  const { role, speaks } = kinds.get('ilva tarn')!;
  assert.deepEqual([role, speaks], [true, true]);
});

test('the nouns of a phrase are its stems, without short words and stop words', () => {
  assert.deepEqual([...nounStems('The Old Lamps of my ox')], ['old', 'lamp']);
  assert.deepEqual([...nounStems('')], []);
});
