/** Checks stems of regular and irregular forms, and of the verbs behind agents. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stemsOf, verbStems, wordStem } from './verb-forms.ts';
import { statingStems } from './verb-groups.ts';

describe('the stem of a word', () => {
  for (const [word, stem] of [
    ['written', 'writ'],
    ['dying', 'die'],
    ['knives', 'knif'],
    ['owned', 'own'],
    ['psts', 'psts'],
    ['need', 'need'],
    ['onus', 'onus'],
    ['news', 'news'],
    ['name', 'nam'],
    ['toe', 'toe'],
    ['country', 'countri'],
    ['sky', 'sky'],
    ['running', 'run'],
    ['2011', '2011'],
    ['', ''],
  ] as const)
    test(`of "${word}" is "${stem}"`, () => assert.equal(wordStem(word), stem));

  test('is one for all forms of a verb or noun', () => {
    for (const forms of [
      ['release', 'released', 'releases', 'releasing'],
      ['country', 'countries'],
      ['grow', 'grew', 'grown', 'grows'],
      ['marry', 'married', 'marries'],
      ['become', 'became', 'becomes'],
      ['wife', 'wives'],
    ])
      assert.equal(new Set(forms.map(wordStem)).size, 1, forms.join(' '));
  });
});

describe('the verb behind an agent', () => {
  for (const [word, stems] of [
    ['directors', ['director', 'direct']],
    ['publisher', ['publisher', 'publish']],
    ['actor', ['actor']],
    ['9director', ['9director']],
    ['publishery', ['publisheri']],
  ] as const)
    test(`of "${word}"`, () => assert.deepEqual(verbStems(word), [...stems]));

  test('that has the stem of its agent counts once', () =>
    assert.deepEqual(new Set(verbStems('wrester')).size, verbStems('wrester').length));
});

test('the stems of a text are those of its content words, each once', () => {
  assert.deepEqual(
    [...stemsOf('The Director directed 3 films, and the films WON.')],
    ['director', 'direct', '3', 'film', 'win'],
  );
  assert.deepEqual([...stemsOf('of the')], []);
  assert.deepEqual([...stemsOf('')], []);
});

test('a listed verb is stated by itself and by its own words alone', () => {
  assert.ok(statingStems('owns').has(wordStem('belongs')));
  assert.ok(!statingStems('belongs').has(wordStem('owns')));
});
