/** Checks the types that nouns, names and given names tell. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOpen } from '../../../readers/open/passages.ts';
import { Asked } from '../../asked.ts';
import { wordStem } from '../words/verb-forms.ts';
import { nameTypes } from './name-types.ts';
import { hasGivenName, typesOfEnding, typesOfNoun } from './types.ts';

test('names have the types that sentences and their own words tell', () => {
  const text =
    'The Corncrake, a grain brig, met Ilva Tarn near Hask County. Ilva Tarn, 47, said no.';
  const { kinds, joint } = readOpen(new Asked('Which ship met whom?'), [''], [{ part: 0, text }]);
  const types = (name: string): string[] => [...nameTypes(name, kinds.get(joint.names.key(name)))];
  assert.deepEqual(types('Corncrake'), ['vessel']);
  assert.deepEqual(types('Hask County'), ['place']);
  assert.deepEqual(types('Ilva Tarn'), ['person']);
  assert.deepEqual(typesOfEnding('Dunmar University'), ['organisation']);
  // A given name and an ending leave both open.
  assert.deepEqual([...nameTypes('Michael Bay', undefined)].sort(), ['person', 'place']);
});

test('nouns tell types by their stems, some of them several', () => {
  for (const [noun, ...types] of [
    ['welder'],
    ['poets', 'person'],
    ['cities', 'place'],
    ['academies', 'organisation'],
    ['crews', 'team'],
    ['tunnel', 'building'],
    ['programme', 'work'],
    ['olympics', 'event'],
    ['tug', 'vessel'],
    ['tongue', 'language'],
    ['sandwich', 'creature'],
    ['cup', 'event', 'award'],
    [''],
  ] as const)
    assert.deepEqual([...typesOfNoun(wordStem(noun))].sort(), [...types].sort(), noun);
});

test('the last word of a name tells its types', () => {
  for (const [name, ...types] of [
    ['Dunmar LTD', 'organisation'],
    ['Dunmar United', 'team'],
    ['Ulf Dunmar, Jr.', 'person'],
    ['Dunmar Church', 'building', 'organisation'],
    ['Bridge Dunmar'],
    ['Bridge'],
    ['Ulf King'],
    ['?!'],
  ] as const)
    assert.deepEqual([...typesOfEnding(name)].sort(), [...types].sort(), name);
});

test('a given name opens the name of a person of two to four words', () => {
  for (const [name, expected] of [
    ['LAURA OTIS', true],
    ['Otis Laura', false],
    ['Laura', false],
    ['Laura B. Otis Venn', true],
    ['Laura B. Otis van Venn', false],
    [' ', false],
  ] as const)
    assert.equal(hasGivenName(name), expected, name);
});
