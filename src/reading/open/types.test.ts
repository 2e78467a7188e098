/** Checks types of nouns and names, stems, and the words that ask. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameTypes } from './name-types.ts';
import { readOpen } from './passages.ts';
import { askedQuestion } from './question.ts';
import { typesOfEnding } from './types.ts';
import { verbStems, wordStem } from './verb-forms.ts';

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
