/** Checks the options of questions for one of several things, worked by hand. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { choiceOf, similarity } from './choices.ts';
import { readTexts, type Texts } from './read-texts.ts';

const options = (question: string, passages: Texts) =>
  choiceOf(readTexts(question, passages))?.options.map(({ text, features, sentences }) => [
    text,
    Object.fromEntries(features),
    [...sentences],
  ]);

describe('the options of a question', () => {
  test('are compared by their values', () => {
    const passages = [
      ['Orla Venn', 'She was born in 1901.'],
      ['Tam Quillor', 'No.', 'He was born in 1899.'],
    ] as const;
    const question = 'Who was born first, Orla Venn or Tam Quillor?';
    assert.deepEqual(options(question, passages), [
      ['Orla Venn', { 'named first': 1, wins: -1 }, []],
      ['Tam Quillor', { 'named first': -1, wins: 1 }, []],
    ]);
    assert.deepEqual(choiceOf(readTexts(question, passages))!.sentences, [0, 2]);
  });

  test('are compared loosely by dates that no relation states', () => {
    const found = options('Which was first, Orla Venn or Tam Quillor?', [
      ['Orla Venn', 'In 1901.'],
      ['Tam Quillor', 'In 1899.'],
    ]);
    assert.deepEqual(
      found?.map(([, features]) => features),
      [
        { 'named first': 1, 'wins:loosely': -1 },
        { 'named first': -1, 'wins:loosely': 1 },
      ],
    );
  });

  test('are compared by the words that their passages hold, if values tell nothing', () => {
    const passages = [
      ['Orla Venn', 'It burnt.', 'A lamp.'],
      ['Tam Quillor', 'No.', 'No mast.', 'A lamp and masts.'],
      ['Ida Holm', 'No.'],
    ] as const;
    const found = options(
      'Who had lamp, mast and sail: Orla Venn, Tam Quillor or Ida Holm?',
      passages,
    )!;
    const { unbound } = readTexts('Lamp, mast and sail?', passages);
    const [lamp, mast, sail] = ['lamp', 'mast', 'sail'].map(stem => unbound.get(stem)!);
    const total = lamp! + mast! + sail!;
    const difference = (value: unknown, expected: number): void =>
      assert.ok(Math.abs((value as number) - expected) < 1e-12, `${value} is no ${expected}`);
    const [orla, tam, ida] = found.map(([, features]) => features as Record<string, number>);
    for (const [features, expected] of [
      [orla, (lamp! - lamp! - mast!) / total],
      [tam, (lamp! + mast! - lamp!) / total],
      [ida, -(lamp! + mast!) / total],
    ] as const) {
      difference(features!['similar'], expected);
      difference(features!['similar:undecided'], expected);
    }
    assert.deepEqual(
      found.map(([, , sentences]) => sentences),
      [[1], [4], [5]],
    );
    assert.deepEqual([orla!['named first'], tam!['named first'], ida!['named first']], [1, -1, -1]);
  });

  test('are none without "or", or without two things', () => {
    const passages = [
      ['Orla Venn', 'It burnt.'],
      ['Tam Quillor', 'It burnt.'],
    ] as const;
    assert.equal(options('Orla Venn and Tam Quillor: who burnt?', passages), undefined);
    assert.equal(options('Orla Venn oracle Tam Quillor: who burnt?', passages), undefined);
    assert.equal(options('Who burnt or not?', passages), undefined);
    assert.equal(options('Is it ORLA VENN OR TAM QUILLOR?', passages)?.length, 2);
  });
});

describe('the share of a thing', () => {
  const read = readTexts('Lamp or mast?', [
    ['A', 'Lamps.', 'Masts.'],
    ['B', 'Sails.'],
    ['C', 'Lamps and masts.'],
  ]);
  const of = (...passages: number[]) => similarity(read, { text: '', passages });
  test('is that of the words that all of its sentences hold, cited by the best', () => {
    assert.deepEqual(of(0), { share: 1, sentences: [0] });
    assert.deepEqual(of(0, 2), { share: 1, sentences: [3] });
    assert.deepEqual(of(1), { share: 0, sentences: [2] });
    assert.deepEqual(of(), { share: 0, sentences: [] });
  });
  test('is 0 for a question without words', () => {
    const none = readTexts('Who?', [['A', 'Lamps.']]);
    assert.deepEqual(similarity(none, { text: '', passages: [0] }), { share: 0, sentences: [0] });
  });
});
