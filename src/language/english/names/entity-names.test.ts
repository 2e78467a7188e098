/** Tests names and their mentions on small texts: roles, possessives, last names, common nouns. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Said } from '../../said.ts';
import { type EntityName, entityNames, namesIn } from './entity-names.ts';
import { writtenInFull } from './full-names.ts';

const names = (text: string): string[] => namesIn(text).map(({ text: name }) => name);

describe('namesIn', () => {
  test('splits a possessive into two names, and drops one at the end', () => {
    assert.deepEqual(names('Dunmarrow’s Linnet sank.'), ['Dunmarrow', 'Linnet']);
    assert.deepEqual(names("Dunmarrow's Linnet sank."), ['Dunmarrow', 'Linnet']);
    assert.deepEqual(names('Bo Arn’s Velo’s Kelp Board'), ['Bo Arn', 'Velo', 'Kelp Board']);
    assert.deepEqual(names('the end of Dunmarrow’s'), ['Dunmarrow']);
  });

  test('drops leading roles, with the words that join them to a name', () => {
    assert.deepEqual(names('CEO Ilse Tarrandine left'), ['Ilse Tarrandine']);
    assert.deepEqual(names('then Former Prime Minister Oda Quill left'), ['Oda Quill']);
    assert.deepEqual(names('then Head Coach Bram Oskeld of Velo left'), ['Bram Oskeld of Velo']);
    assert.deepEqual(names('then Head Bram Oskeld left'), ['Head Bram Oskeld']);
    assert.deepEqual(names('the President of Velo left'), ['Velo']);
    assert.deepEqual(names('the Chairman of the Kelp Board left'), ['Kelp Board']);
  });

  test('a role alone is no name, nor is one letter', () => {
    assert.deepEqual(names('the CEO and the Vice President met'), []);
    assert.deepEqual(names('Judge Bo met Judge Q'), ['Bo']);
  });

  test('keeps a capitalised stop word inside a sentence, but no article or opener', () => {
    assert.deepEqual(names('he heard My Copper Moon'), ['My Copper Moon']);
    assert.deepEqual(names('in 2023 No Velo sold'), ['No Velo']);
    assert.deepEqual(names('yes, No Velo sold'), ['No Velo']);
    assert.deepEqual(names('he heard Inside Copper Moon'), ['Inside Copper Moon']);
    assert.deepEqual(names('he heard Those Copper Moons'), ['Those Copper Moons']);
    for (const opener of ['The', 'An', 'And', 'Of', 'In', 'On', 'At', 'For', 'But', 'If', 'As'])
      assert.deepEqual(names(`he heard ${opener} Copper Moon`), ['Copper Moon'], opener);
    for (const lead of ['', '. ', '“', '. “'])
      assert.deepEqual(names(`${lead}My Copper Moon`), ['Copper Moon'], lead);
  });

  test('each name stands at its offsets', () => {
    const pieces = [
      'CEO ',
      'Ilse ',
      'Tarrandine',
      '’s ',
      'My ',
      'said ',
      'of ',
      'Prime Minister ',
      '. ',
      'the ',
      'Q ',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces)), chosen => {
        const text = chosen.join('');
        let last = 0;
        for (const { text: name, start, end } of namesIn(text)) {
          assert.equal(text.slice(start, end), name);
          assert.equal(name, name.trim());
          assert.ok(start >= last && name.length >= 2);
          last = end;
        }
      }),
    );
  });
});

describe('writtenInFull', () => {
  const full = (last: string, ...texts: string[]): string | undefined => writtenInFull(last, texts);

  test('finds the full name in any text, the most frequent, then the first by letters', () => {
    assert.equal(full('Quist', 'Quist left.', 'He met Mara Quist.'), 'Mara Quist');
    assert.equal(full('Quist', 'Orla Quist met Orla Quist, Mara Quist.'), 'Orla Quist');
    assert.equal(full('Quist', 'Orla Quist, Mara Quist.'), 'Mara Quist');
    assert.equal(full('Quist', 'Mara Quist, Orla Quist.'), 'Mara Quist');
    assert.equal(full('Quist', 'Quist and then Mara Quist.'), 'Mara Quist');
    assert.equal(full('Quist', 'He met Mara Ann Quist.'), 'Mara Ann Quist');
  });

  test('finds none across sentences, without capitals, in a longer name or word', () => {
    assert.equal(full('Quist', 'He met Mara. Quist left.'), undefined);
    assert.equal(full('Quist', 'then mara Quist left'), undefined);
    assert.equal(full('Quist', 'Mara Quistler left'), undefined);
    assert.equal(full('Quist', 'The Big Old Mara Quist left'), undefined);
  });
});

const sentence = (text: string, part = 0) => ({ said: new Said(text), part });
const part = (title: string) => ({ title });
const found = (sentences: readonly string[], titles: readonly string[] = ['']): EntityName[] =>
  entityNames(
    titles.map(part),
    sentences.map(text => sentence(text)),
  );
const texts = (all: readonly EntityName[]): string[] => all.map(({ text }) => text);
const only = (text: string) => found([text])[0]!.mentions[0]!;

describe('mentions', () => {
  test('of titles come first and have no sentence', () => {
    const all = entityNames([part(''), part('Kelp Board')], [sentence('Kelp Board met.', 1)]);
    assert.deepEqual(texts(all), ['Kelp Board']);
    assert.deepEqual(
      all[0]!.mentions.map(({ part, sentence }) => [part, sentence]),
      [
        [1, undefined],
        [1, 0],
      ],
    );
  });

  test('open a sentence behind marks alone', () => {
    assert.equal(only('“Velo left').opensSentence, true);
    assert.equal(only('then Velo left').opensSentence, false);
  });

  test('are possessive by an apostrophe and s', () => {
    for (const text of ['Velo’s boats', "Velo's boats"])
      assert.equal(only(text).possessive, true, text);
    for (const text of ['Velo said', 'Velo ’s', 'Velo, Elm’s'])
      assert.equal(only(text).possessive, false, text);
  });

  test('are personal by a verb behind or a role before', () => {
    for (const text of [
      'Velo said so',
      'Velo, who left',
      'then CEO Velo left',
      'the coach Velo left',
    ])
      assert.equal(only(text).personal, true, text);
    for (const text of ['Velo left', 'Velo saids', 'the boat Velo left', 'Velo. He said'])
      assert.equal(only(text).personal, false, text);
  });

  test('have the stems of the nouns beside them', () => {
    assert.deepEqual(only('the ship Velo, a grey trawler').nouns, ['ship', 'grey', 'trawler']);
  });
});

describe('entityNames', () => {
  test('a last name belongs to the most frequent full name of two or three words', () => {
    const all = found([
      'then Ilse Tarrandine and Orla Tarrandine met',
      'then Tarrandine met Orla Tarrandine',
    ]);
    assert.deepEqual(texts(all), ['Ilse Tarrandine', 'Orla Tarrandine']);
    assert.deepEqual(
      all[1]!.mentions.map(({ written }) => written),
      ['Orla Tarrandine', 'Tarrandine', 'Orla Tarrandine'],
    );
    assert.deepEqual(texts(found(['then Big Old Kelp Velo met Velo'])), [
      'Big Old Kelp Velo',
      'Velo',
    ]);
    assert.deepEqual(texts(found(['then Bank of Velo met Velo'])), ['Bank of Velo', 'Velo']);
  });

  test('a first word that only opens a sentence is not of the name', () => {
    const like = 'Like Ilse Tarrandine, he ran';
    assert.deepEqual(texts(found([like, 'then Ilse Tarrandine ran'])), ['Ilse Tarrandine']);
    assert.deepEqual(texts(found([like])), ['Like Ilse Tarrandine']);
    assert.equal(texts(found([like, 'then Ilse Tarrandine met Like Ilse Tarrandine'])).length, 2);
  });

  test('plural nouns in at least two sentences are names, the most frequent first', () => {
    const all = found([
      'the ferrymen paid boats and boats',
      'Boats paid dragons',
      'boats met dragons',
    ]);
    const common = all.filter(name => name.common);
    assert.deepEqual(texts(common), ['Dragons']);
    const plain = found([
      'he paid boats',
      'he paid boats; dragons met',
      'boats met dragons and herons',
      'herons',
    ]);
    assert.deepEqual(texts(plain), ['Boats', 'Dragons', 'Herons']);
    assert.deepEqual(
      plain[0]!.mentions.map(({ sentence }) => sentence),
      [0, 1, 2],
    );
    assert.deepEqual(plain[1]!.mentions[0], {
      part: 0,
      sentence: 1,
      written: 'dragons',
      opensSentence: false,
      possessive: false,
      personal: false,
      nouns: [],
    });
    assert.ok(plain.every(({ common: of }) => of));
    assert.deepEqual(found(['he paid boats and boats', 'herons met']), []);
  });

  test('words that end like no plural, short ones and parts of words are no common nouns', () => {
    for (const word of [
      'glass',
      'virus',
      'famous',
      'basis',
      'cats',
      'sea-boats',
      'boats-men',
      'boats2',
    ])
      assert.deepEqual(found([`he saw ${word}`, `he saw ${word}`]), [], word);
    assert.deepEqual(texts(found(['he saw oars and boats', 'he saw boats'])), ['Boats']);
  });

  test('at most twelve plural nouns', () => {
    const nouns = [...'abcdefghijklmno'].map(letter => `${letter}boats`).join(' ');
    const all = found([nouns, nouns, 'then oboats']);
    assert.equal(all.length, 12);
    assert.deepEqual(texts(all).slice(0, 2), ['Oboats', 'Aboats']);
  });

  test('nothing without text', () => {
    assert.deepEqual(entityNames([], []), []);
  });
});
