/**
 * Checks the features of the lite classifiers against numbers worked by hand: the shipped weights
 * fit these numbers, in this order, and these names of crossed features.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chunkFeatures, readChunk, readQuery } from './chunk-features.ts';
import { filterFeatures, readSentence } from './filter-features.ts';
import { bucketOf, type Features } from './network.ts';
import { wordFeatures } from './word-features.ts';
import { readWords, stemOf } from './words.ts';

const weights = { most: 8, common: new Map([['film', 2]]) };

/** Compares up to rounding: a sum may be worked in another order. */
function near(found: ArrayLike<number>, expected: readonly number[]): void {
  assert.equal(found.length, expected.length);
  for (const [at, value] of expected.entries())
    assert.ok(Math.abs(found[at]! - value) < 1e-12, `feature ${at}: ${found[at]}, not ${value}`);
}

const hashes = (names: readonly string[]): number[] => names.map(bucketOf);

describe('chunk features', () => {
  test('of a chunk whose title and names are in the query, and of one that shares nothing', () => {
    const chunks = [
      { title: 'Vell (1990 film)', text: 'Tor sank Mara.' },
      { title: 'Quay', text: 'Rain' },
    ].map(readChunk);
    const [first, second] = chunkFeatures(readQuery('film Vell Tor, Mara'), chunks, weights);
    // The query weighs film 2, Vell 8, Tor 8, Mara 8: 26. Its names are Vell Tor and Mara; only
    // Mara is whole in the text. Title and parenthesis weigh Vell 8, 1990 8, film 2: 18.
    near(first!.dense, [
      ...[1, 10 / 18, 1, 1],
      ...[1, 10 / 26, 1, 8 / 24, 1, 16 / 26],
      ...[8 / 80, 1 / 2, 26 / 80, 8 / 80, 1, Math.log(4) / 5],
      ...[1, 0, 1, 1, 0, 1 / 10],
    ]);
    near(second!.dense, [
      ...[0, 0, 0, 0],
      ...[0, 0, 0, 0, 0, 0],
      ...[0, 0, 26 / 80, 8 / 80, 0, Math.log(2) / 5],
      ...[1 / 2, Math.log(2), -1, -1, 1 / 10, 1 / 10],
    ]);
  });

  test('a title ends before its parenthesis, which may be all of it', () => {
    const parts = [' (film)', 'Iron Lamp (film)', 'Iron Lamp'].map(title => {
      const read = readChunk({ title, text: '' });
      return [read.title, read.aside].map(words => words.map(({ text }) => text).join(' '));
    });
    assert.deepEqual(parts, [
      ['', 'film'],
      ['Iron Lamp', 'film'],
      ['Iron Lamp', ''],
    ]);
  });
});

describe('filter features', () => {
  const sentence = readSentence('the film Vell Tor', ['Tor sank Mara in 1990']);
  const features = filterFeatures(sentence, weights);
  const none = Array<number>(11).fill(0);
  // The info has Tor of film, Vell and Tor; one info of five, four words of thirty.
  const common = [1 / 3, 1 / 5, 4 / 30];

  test('of words of the query: the nearest word of the info, and the share of the name', () => {
    assert.equal(features.length, 9);
    near(features[0]!.dense, [0, 0, 0, 1, 0, 0, 1, 0, 1 / 3, 0, 1 / 5, ...none, 0, ...common]);
    near(features[1]!.dense, [
      ...[0, 0, 0, 0, 0, 0, 2 / 8, 0, 1 / 2, 1 / 3, 1 / 5],
      ...[...none, 0, ...common],
    ]);
    near(features[3]!.dense, [1, 1 / 2, 0, 0, 1, 0, 1, 0, 0, 1, 2 / 5, ...none, 0, ...common]);
  });

  test('of words of the info, in the other half', () =>
    near(features[8]!.dense, [
      ...none,
      ...[0, 0, 0, 0, 0, 1, 1, 1 / 4, 0, 1, 1 / 5],
      ...[1, ...common],
    ]));

  test('crossed: part, shape and neighbours', () => {
    assert.deepEqual(
      features[3]!.crossed,
      hashes(['0 A', '0 film A', '0 A $', '0 in A', '0 in film', '0 in $', '0 item 0 A']),
    );
    assert.deepEqual(
      features[5]!.crossed,
      hashes([
        ...['1 sank', '1 tor sank', '1 sank mara', '1 out sank'],
        ...['1 out tor', '1 out mara', '1 item 0 sank'],
      ]),
    );
  });

  test('crossed: whether all of its name is in the info', () => {
    const { query } = readSentence('the mother of Marta Quellen', ['Marta Quellen']);
    const [, mother, , marta] = filterFeatures(
      readSentence('the mother of Marta Quellen', ['Marta Quellen']),
      weights,
    );
    assert.equal(query[3]!.text, 'Marta');
    assert.ok(marta!.crossed.includes(bucketOf('0 in of')));
    assert.ok(mother!.crossed.includes(bucketOf('0 out the')));
  });
});

describe('word features', () => {
  const text = 'Vell Tor sank, mother of (Mara Lind, 1990) film. It was by Oren';
  const features = wordFeatures(
    readQuery('film mother Vell'),
    readChunk({ title: 'Quay', text }),
    weights,
  );
  const ofWord = (word: string): Features =>
    features[readWords(text).findIndex(each => each.text === word)]!;

  test('of the first word, half of a name', () =>
    near(ofWord('Vell').dense, [
      ...[1, 0, 1, 0, 0, 1, 2 / 5, 1 / 2, 0, 1, 0, 1, 1, 0],
      ...[0, 1 / 2, 0, 1 / 2, 0, 0, 0, 0],
      ...[0, 0, 0, 0, 0, 0, 0],
    ]));

  test('of a name in a parenthesis before a comma, the second that the query lacks', () =>
    near(ofWord('Lind').dense, [
      ...[0, 0, 1, 0, 0, 1, 2 / 5, 0, 0, 1, 0, 1 / 2, 1, Math.log(7) / 5],
      ...[1 / 2, 1 / 2, 1 / 2, 1 / 2, 0, 1, 0, 0],
      ...[0, 1, 0, 0, 0, 1, 1],
    ]));

  test('of a name after "by", in the second sentence, the fourth that the query lacks', () =>
    near(ofWord('Oren').dense, [
      ...[0, 0, 1, 0, 0, 1, 1 / 5, 0, 0, 1, 0, 1 / 4, 1 / 2, Math.log(13) / 5],
      ...[0, 0, 0, 0, 0, 0, 0, 0],
      ...[1, 0, 0, 0, 0, 0, 0],
    ]));

  test('of a name after "in"', () => {
    const chunk = readChunk({ title: '', text: 'He lived in Rome' });
    assert.equal(wordFeatures(readQuery('?'), chunk, weights)[3]!.dense[24], 1);
  });

  test('crossed: the neighbours, alone and with each lower-case word of the query', () => {
    const contexts = (stem: string, names: readonly string[]): string[] =>
      names.map(name => `${stem} ${name}`);
    const all = (...names: string[]): number[] =>
      hashes(['', 'film', 'moth'].flatMap(stem => contexts(stem, names)));
    assert.deepEqual(
      ofWord('Lind').crossed,
      all('= A', '-1 of A', '-2 moth A', '-12 moth of A', '+1 1990 A'),
    );
    assert.deepEqual(
      ofWord('film').crossed,
      all('= a', '-1 1990 a', '-2 lind a', '-12 lind 1990 a', '+1 it a', 'w film'),
    );
    assert.deepEqual(
      ofWord('Oren').crossed,
      all('= A', '-1 by A', '-2 was A', '-12 was by A', '+1 $ A'),
    );
  });
});

test('stems have no accents; an apostrophe joins the words of a name', () => {
  assert.equal(stemOf('ÉÉ'), 'ee');
  for (const apostrophe of ["'", '’']) {
    const [first, last] = readWords(`O${apostrophe}Lind`);
    assert.deepEqual([first!.last, last!.first], [1, 0], apostrophe);
  }
});
