/** Compares the word features of the lite classifiers with values computed by hand. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chunkFeatures, readChunk, readQuery } from './chunk-features.ts';
import { filterFeatures, readSentence } from './filter-features.ts';
import { bucketOf } from './network.ts';
import { wordFeatures } from './word-features.ts';
import { readWords, stemOf } from './words.ts';

const WEIGHTS = { most: 2, common: new Map([['film', 1]]) };
const query = readQuery('Who is the mother of the director of Iron Lamp?');
const chunk = readChunk({
  title: 'Iron Lamp (film)',
  text: 'Iron Lamp is a film by Marta Quellen, daughter of Ines (Quill). The director of it lived in Rome',
});
const words = chunk.text.map(({ text }) => text);
const features = wordFeatures(query, chunk, WEIGHTS);
const at = (word: string): number => {
  const place = words.indexOf(word);
  assert.ok(place >= 0, word);
  return place;
};
const dense = (word: string, input: number): number => features[at(word)]!.dense[input]!;

describe('words of a chunk', () => {
  test('names that neither query nor title has are counted', () => {
    const places = ['Iron', 'Marta', 'Ines', 'Quill', 'Rome'].map(word => dense(word, 11));
    assert.deepEqual(places, [1, 1, 1 / 2, 1 / 3, 1 / 4]);
    assert.equal(dense('lived', 11), 1 / 4);
  });

  test('later sentences count less', () => {
    assert.deepEqual([dense('Ines', 12), dense('lived', 12)], [1, 1 / 2]);
  });

  test('words of relations of the query are near by their distance, on their own side', () => {
    assert.deepEqual([dense('lived', 14), dense('lived', 15)], [1 / 3, 0]);
    assert.deepEqual([dense('The', 14), dense('The', 15)], [0, 1]);
    assert.deepEqual([dense('it', 18), dense('it', 19)], [0, 1]);
    assert.deepEqual([dense('of', 18), dense('lived', 19)], [0, 0]);
  });

  test('the word and the marks before and behind a name', () => {
    assert.deepEqual(
      [22, 23, 24].map(input => [
        dense('Marta', input),
        dense('Ines', input),
        dense('Rome', input),
      ]),
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
    );
    assert.deepEqual([dense('daughter', 26), dense('Quill', 26)], [1, 0]);
    assert.deepEqual([dense('Quill', 27), dense('Ines', 27)], [1, 0]);
    assert.deepEqual([dense('Quellen', 28), dense('Ines', 28)], [1, 0]);
  });

  test('crossed ones pair words of the query with neighbours', () => {
    const has = (word: string, name: string): boolean =>
      features[at(word)]!.crossed.includes(bucketOf(name));
    const stem = stemOf('director');
    assert.ok(has('Rome', `${stem} +1 $ A`));
    assert.ok(has('Rome', `${stem} -1 in A`));
    assert.ok(has('daughter', `${stem} w ${stemOf('daughter')}`));
    assert.ok(!has('Rome', `${stem} w ${stemOf('rome')}`));
    assert.ok(!has('Rome', `${stemOf('Iron')} -1 in A`));
  });
});

describe('words of a query and what was found', () => {
  const sentence = readSentence('Who is the mother of Marta Quellen?', [
    'Iron Lamp Marta Quellen',
    'film by Rome',
  ]);
  const read = filterFeatures(sentence, WEIGHTS);
  const place = (text: string): number => sentence.query.findIndex(word => word.text === text);

  test('have the share of their run that the other part has, and the distance to a match', () => {
    const marta = read[place('Marta')]!.dense;
    assert.deepEqual([...marta.slice(0, 3)], [1, 1, 1]);
    const mother = read[place('mother')]!.dense;
    assert.deepEqual([...mother.slice(0, 3)], [0, 0, 0]);
    assert.deepEqual([mother[7], mother[8]], [0, 1 / 2]);
    assert.deepEqual([read[place('of')]!.dense[7], read[place('of')]!.dense[8]], [0, 1]);
  });

  test('are crossed with their own shape and the neighbours', () => {
    const has = (text: string, name: string): boolean =>
      read[place(text)]!.crossed.includes(bucketOf(`0 ${name}`));
    assert.ok(has('mother', stemOf('mother')) && has('Marta', 'A'));
    assert.ok(has('Marta', 'in of') && has('mother', 'out the'));
  });
});

describe('chunks', () => {
  test('compare the weight of phrases with ten words', () => {
    const [only] = chunkFeatures(query, [chunk], WEIGHTS);
    // "Iron Lamp" is the heaviest sequence of both: two words of weight 2.
    assert.equal(only!.dense[10], 4 / 20);
    // The text has the query's only name, Iron Lamp.
    assert.equal(only!.dense[11], 1);
    const [none] = chunkFeatures(query, [readChunk({ title: 'x', text: 'Iron mother' })], WEIGHTS);
    assert.equal(none!.dense[11], 0);
  });

  test('a title that begins with a parenthesis has no name', () => {
    const { title, aside } = readChunk({ title: ' (film)', text: '' });
    assert.deepEqual([title.length, aside.map(({ text }) => text)], [0, ['film']]);
  });
});

describe('names', () => {
  test('go on behind an apostrophe', () => {
    for (const mark of ["'", '’']) {
      const read = readWords(`the D${mark}Arcy house`);
      const arcy = read.find(({ text }) => text.includes('Arcy'))!;
      const first = read[arcy.first]!;
      assert.ok(first.text.startsWith('D'), first.text);
    }
  });

  test('lose accents in stems', () => {
    assert.deepEqual([stemOf('É'), stemOf('Élan'), stemOf('Elan')], ['e', 'elan', 'elan']);
  });
});
