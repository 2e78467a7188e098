/** Checks features of yes by countries and places of two things. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Asked } from '../../language/asked.ts';
import { FeatureList } from '../features.ts';
import { comparedThings } from './compared-things.ts';
import { readOpen } from './passages.ts';
import { originFeatures } from './verdict-origins.ts';

/** Features of two things with the given sentences, and the sentences that are cited. */
function origins(question: string, first: readonly string[], second: readonly string[]) {
  const reading = readOpen(
    new Asked(question),
    ['Orla Venn', 'Tam Quillor'],
    [first, second].flatMap((texts, part) => texts.map(text => ({ part, text }))),
  );
  const features = new FeatureList();
  const cited: number[] = [];
  originFeatures(reading, comparedThings(reading, 'and'), features, cited);
  return { features: Object.fromEntries(features.values), cited };
}
const features = (question: string, first: string, second: string) =>
  origins(question, [first], [second]).features;
const PAIR = 'Orla Venn and Tam Quillor';

describe('the countries of two things', () => {
  for (const word of [
    ...['country', 'countries', 'nationality', 'nationalities', 'nation', 'nations'],
    ...['citizenship', 'located', 'situated', 'based', 'place', 'places'],
  ])
    test(`are compared by "same ${word}"`, () => {
      const question = `Are ${PAIR} of the same ${word}?`;
      assert.deepEqual(features(question, 'A Danish poet.', 'A poet of Denmark.'), {
        'countries:first': 1,
        'countries:common': 1,
      });
      assert.deepEqual(features(`Are ${PAIR} of ${word}?`, 'A Danish poet.', 'Of Denmark.'), {});
      assert.deepEqual(features(`Are ${PAIR} of same x${word}?`, 'A Danish poet.', 'Swiss.'), {});
      assert.deepEqual(features(`Are ${PAIR} of same ${word}x?`, 'A Danish poet.', 'Swiss.'), {});
    });

  const QUESTION = `Are ${PAIR} of the same country?`;
  test('may differ, be common but not the first, or unknown', () => {
    assert.deepEqual(features(QUESTION, 'A Danish poet.', 'A Swiss poet.'), {
      'countries:first': -1,
      'countries:common': -1,
    });
    assert.deepEqual(features(QUESTION, 'A Danish and Swiss poet.', 'A Swiss poet.'), {
      'countries:first': -1,
      'countries:common': 1,
    });
    assert.deepEqual(features(QUESTION, 'A Danish poet.', 'A poet.'), { 'countries:unknown': 1 });
    assert.deepEqual(features(QUESTION, 'A poet.', 'A Danish poet.'), { 'countries:unknown': 1 });
  });
  test('count against a question for difference', () =>
    assert.deepEqual(
      features(`Are ${PAIR} of different or the same country?`, 'A Danish poet.', 'A Danish poet.'),
      { 'countries:first': -1, 'countries:common': -1 },
    ));
  test('are those of the first sentences that name any, which are cited', () =>
    assert.deepEqual(
      origins(
        QUESTION,
        ['A poet.', 'A Danish poet.', 'A Swiss one.'],
        ['“Denmark”.', 'A Danish one.'],
      ),
      { features: { 'countries:first': 1, 'countries:common': 1 }, cited: [1, 3] },
    ));
});

describe('a country that the question names', () => {
  const QUESTION = `Are ${PAIR} both Danish?`;
  for (const [first, second, expected] of [
    ['A Danish poet.', 'A poet of Denmark.', { 'named country': 1 }],
    ['A Danish poet.', 'A Swiss poet.', { 'named country': -1 }],
    ['A Swiss poet.', 'A Danish poet.', { 'named country': -1 }],
    ['A Swiss poet.', 'A Swiss poet.', { 'named country': -1 }],
    ['A Swiss and Danish poet.', 'A Danish poet.', { 'named country': 1 }],
    ['A Danish poet.', 'A poet.', { 'named country:unknown': 1 }],
  ] as const)
    test(`${first} ${second}`, () => {
      assert.deepEqual(features(QUESTION, first, second), expected);
      assert.deepEqual(features(`Are ${PAIR} from Denmark?`, first, second), expected);
    });
  test('is cited', () =>
    assert.deepEqual(origins(QUESTION, ['No.', 'A Danish poet.'], ['Swiss.']).cited, [1, 2]));
});

describe('places within a country', () => {
  for (const word of [
    ...['state', 'city', 'town', 'village', 'province', 'county', 'region', 'district', 'borough'],
    ...['island', 'continent'],
  ])
    test(`are compared by "same ${word}"`, () => {
      const found = (question: string, second: string) =>
        features(question, 'A hall in Dunmar, Denmark.', second);
      const question = `Are ${PAIR} in the same ${word}?`;
      assert.deepEqual(found(question, 'A hall in Dunmar, Denmark.'), {
        'places:common': 1,
        'countries within:first': 1,
        'countries within:common': 1,
      });
      assert.deepEqual(found(question, 'A hall in Pellow, Denmark.'), {
        'places:common': -1,
        'countries within:first': 1,
        'countries within:common': 1,
      });
      assert.deepEqual(found(question, 'A hall of note.'), { 'countries within:unknown': 1 });
      assert.deepEqual(found(`Are ${PAIR} in one ${word}?`, 'A hall in Dunmar, Denmark.'), {
        'countries within:first': 1,
        'countries within:common': 1,
      });
      assert.deepEqual(found(`Are ${PAIR} in the same x${word}?`, 'A hall in Dunmar.'), {});
      assert.deepEqual(found(`Are ${PAIR} in the same ${word}x?`, 'A hall in Dunmar.'), {});
    });

  const common = (first: readonly string[], second: readonly string[], how = 'the same') =>
    origins(`Are ${PAIR} in ${how} town?`, first, second).features['places:common'];
  test('follow prepositions of place or a comma, in the first two sentences', () => {
    for (const word of ['in', 'at', 'near', 'of', 'from', 'in the', 'Holm,'])
      assert.equal(common([`It is ${word} Dunmar.`], ['It is in Dunmar.']), 1, word);
    assert.equal(common(['It met Dunmar.'], ['It is in Dunmar.']), undefined);
    assert.equal(common(['No.', 'It is in Dunmar.'], ['It is in Dunmar.']), 1);
    assert.equal(common(['No.', 'No.', 'It is in Dunmar.'], ['It is in Dunmar.']), undefined);
    assert.equal(common(['It is in Denmark.'], ['It is in Denmark.']), undefined);
    assert.equal(common(['It is in DUNMAR.'], ['It is in Dunmar.']), 1);
  });
  test('count against a question for difference', () =>
    assert.equal(common(['It is in Dunmar.'], ['It is in Dunmar.'], 'different or the same'), -1));
});
