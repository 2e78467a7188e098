/** Checks types of nouns and names, stems, and the words that ask. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOpen } from '../../../readers/open/passages.ts';
import { askedQuestion } from '../question/asked-question.ts';
import { verbStems, wordStem } from '../words/verb-forms.ts';
import { nameTypes } from './name-types.ts';
import { hasGivenName, typesOfEnding, typesOfNoun } from './types.ts';

test('forms of a word have one stem', () => {
  for (const forms of [
    ['release', 'released', 'releases', 'releasing'],
    ['country', 'countries'],
    ['engine', 'engines'],
    ['grow', 'grew', 'grown', 'grows'],
    ['name', 'named', 'naming'],
    ['win', 'won', 'winning'],
    ['marry', 'married', 'marries'],
  ])
    assert.equal(new Set(forms.map(wordStem)).size, 1, forms.join(' '));
  assert.ok(verbStems('director').includes(wordStem('directed')));
});

test('names have the types that sentences and their own words tell', () => {
  const text =
    'The Corncrake, a grain brig, met Ilva Tarn near Hask County. Ilva Tarn, 47, said no.';
  const { kinds, joint } = readOpen('Which ship met whom?', [''], [{ part: 0, text }]);
  const types = (name: string): string[] => [...nameTypes(name, kinds.get(joint.names.key(name)))];
  assert.deepEqual(types('Corncrake'), ['vessel']);
  assert.deepEqual(types('Hask County'), ['place']);
  assert.deepEqual(types('Ilva Tarn'), ['person']);
  assert.deepEqual(typesOfEnding('Dunmar University'), ['organisation']);
  // A given name and an ending leave both open.
  assert.deepEqual([...nameTypes('Michael Bay', undefined)].sort(), ['person', 'place']);
});

test('the word that asks is found behind descriptions, and its noun behind "name of"', () => {
  const late = askedQuestion('The treaty, which was signed late, was signed on which date?');
  assert.deepEqual([late.kind, late.types], ['time', []]);
  const named = askedQuestion('What is the name of the waterfall where the river ends?');
  assert.deepEqual([named.noun, named.types], [wordStem('waterfall'), ['place']]);
  const second = askedQuestion('There is a country where lamps are made. Who rules it?');
  assert.equal(second.kind, 'person');
  const club = askedQuestion('Which rowing club did the woman lead?');
  assert.deepEqual([club.kind, club.types], ['thing', ['team']]);
});

test('nouns tell types by their stems, some of them several', () => {
  for (const [noun, ...types] of [
    ['welder'],
    ['poets', 'person'],
    ['killer', 'person'],
    ['person', 'person'],
    ['city', 'place'],
    ['cities', 'place'],
    ['volcano', 'place'],
    ['company', 'organisation'],
    ['academies', 'organisation'],
    ['team', 'team'],
    ['crews', 'team'],
    ['building', 'building'],
    ['tunnel', 'building'],
    ['film', 'work'],
    ['programme', 'work'],
    ['event', 'event'],
    ['olympics', 'event'],
    ['ship', 'vessel'],
    ['tug', 'vessel'],
    ['award', 'award'],
    ['language', 'language'],
    ['tongue', 'language'],
    ['species', 'creature'],
    ['sandwich', 'creature'],
    ['franchise', 'team', 'work'],
    ['cup', 'event', 'award'],
    [''],
  ] as const)
    assert.deepEqual([...typesOfNoun(wordStem(noun))].sort(), [...types].sort(), noun);
});

test('the last word of a name tells its types', () => {
  for (const [name, ...types] of [
    ...['Inc', 'Corp.', 'LTD', 'Co', 'Records', 'Pictures', 'Entertainment', 'Press', 'Airlines']
      .concat('Industries')
      .map(word => [`Dunmar ${word}`, 'organisation'] as const),
    ...['FC', 'United', 'Rovers', 'Athletic'].map(word => [`Dunmar ${word}`, 'team'] as const),
    ...['Jr.', 'Sr.'].map(word => [`Ulf Dunmar, ${word}`, 'person'] as const),
    ['Dunmar Bridge', 'building'],
    ['Bridge Dunmar'],
    ['Records'],
    ['Bridge'],
    ['Ulf King'],
    ['Ulf Star of Dunmar King'],
    ['Dunmar Church', 'building', 'organisation'],
    [''],
    ['?!'],
  ] as const)
    assert.deepEqual([...typesOfEnding(name)].sort(), [...types].sort(), name);
});

test('a given name opens the name of a person of two to four words', () => {
  for (const [name, expected] of [
    ['Laura Otis', true],
    ['LAURA OTIS', true],
    ['Aaron Venn', true],
    ['Zachary Venn', true],
    ['Laura', false],
    ['Otis Laura', false],
    ['Laura B. Otis Venn', true],
    ['Laura B. Otis van Venn', false],
    ['', false],
    [' ', false],
  ] as const)
    assert.equal(hasGivenName(name), expected, name);
});
