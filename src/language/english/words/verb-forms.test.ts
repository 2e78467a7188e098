/** Checks stems of regular and irregular forms, and of the verbs behind agents. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stemsOf, verbStems, wordStem } from './verb-forms.ts';

describe('the stem of a word', () => {
  for (const [word, stem] of [
    // Irregular forms are replaced by their base.
    ['arose', 'aris'],
    ['wrote', 'writ'],
    ['written', 'writ'],
    ['dying', 'die'],
    ['men', 'man'],
    ['knives', 'knif'],
    ['used', 'use'],
    ['won', 'win'],
    ['built', 'build'],
    ['swore', 'swear'],
    ['wound', 'wind'],
    // Endings leave four letters, or three with a vowel.
    ['directing', 'direct'],
    ['owns', 'own'],
    ['owning', 'own'],
    ['owned', 'own'],
    ['wrys', 'wry'],
    ['psts', 'psts'],
    ['this', 'this'],
    ['need', 'need'],
    ['pass', 'pas'],
    ['bus', 'bus'],
    ['alas', 'alas'],
    ['onus', 'onus'],
    ['news', 'news'],
    ['axis', 'axis'],
    ['xowns', 'xown'],
    ['asked', 'ask'],
    ['bicycles', 'bicycl'],
    // A final e, y and doubled consonant vary.
    ['name', 'nam'],
    ['toe', 'toe'],
    ['die', 'die'],
    ['country', 'countri'],
    ['play', 'play'],
    ['sky', 'sky'],
    ['ferry', 'ferri'],
    ['running', 'run'],
    ['free', 'fre'],
    ['1900', '1900'],
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
    ['director', ['director', 'direct']],
    ['directors', ['director', 'direct']],
    ['publisher', ['publisher', 'publish']],
    ['founders', ['founder', 'found']],
    ['actor', ['actor']],
    ['editor', ['editor', 'edit']],
    ['river', ['river']],
    ['9director', ['9director']],
    ['singing', ['sing']],
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
