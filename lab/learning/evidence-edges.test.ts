/** Tests how evidence triples map to paragraphs: titles, typography, whole words, beginnings. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { evidenceEdges, subjectPlace } from './evidence-edges.ts';
import type { TrainingQuestion } from './training-question.ts';

type Triple = readonly [subject: string, relation: string, object: string];

const question = (
  paragraphs: readonly (readonly [title: string, text?: string])[],
  evidences: readonly Triple[] = [],
  supporting: readonly string[] = [],
): TrainingQuestion => ({
  dataset: '2wiki',
  id: 'q',
  type: 'compositional',
  text: '',
  ownContext: true,
  paragraphs: paragraphs.map(([title, text = '']) => ({ title, text })),
  supporting,
  evidences,
  steps: [],
  order: [],
});

/** Returns the place of a subject among titles. */
const place = (name: string, titles: readonly string[], supporting: readonly string[] = []) =>
  subjectPlace(
    question(
      titles.map(title => [title]),
      [],
      supporting,
    ),
    name,
  );

describe('subjectPlace', () => {
  test('an exact title comes before one without typography, and that before a part', () => {
    assert.equal(place('Mara Quist', ['Mara Quist (keeper)', 'Mára Quist', 'Mara Quist']), 2);
    assert.equal(place('Mara Quist', ['Mara Quist (keeper)', 'Mára  Quist']), 1);
    assert.equal(place('Mara Quist', ['Velo', 'Mara Quist (keeper)']), 1);
    assert.equal(place('Mara Quist of Velo', ['Elm', 'Mara Quist']), 1);
    assert.equal(place('Mara Quist', ['Elm', 'Velo']), undefined);
  });

  test('a supporting title comes first, by any test', () => {
    const titles = ['Mara Quist', 'Mara Quist (keeper)'];
    assert.equal(place('Mara Quist', titles, ['Mara Quist (keeper)']), 1);
    assert.equal(place('Mara Quist', titles, ['Elm']), 0);
    assert.equal(place('Mara Quist', titles, ['Mara Quist (ferry)']), 0);
  });

  test('of several titles the longest, of equally long ones the first', () => {
    assert.equal(place('Linnet of Velo', ['Linnet', 'Linnet of', 'Velo']), 1);
    assert.equal(place('Linnet of Velo', ['Velo of', 'Linnet of', 'Elm']), 1);
    assert.equal(place('Elm Kelp', ['Kelp', 'Elm', 'Kelp']), 0);
  });

  test('parts are whole words', () => {
    assert.equal(place('Anna', ['Annabel', 'Hanna']), undefined);
    assert.equal(place('Anna', ['Hanna Annabel, Anna']), 0);
    assert.equal(place('Anna', ['Anna’s boat']), 0);
  });

  test('names in another script differ, and an empty one is nowhere', () => {
    assert.equal(place('Россия', ['東京', 'Россия']), 1);
    assert.equal(place('Россия', ['東京', '大阪']), undefined);
    for (const name of ['', ' ']) assert.equal(place(name, ['', 'Elm', '東京']), undefined);
  });

  test('without a title the text begins with the name, in quotation marks or not', () => {
    const begins = (text: string) =>
      subjectPlace(
        question([
          ['', 'Elm.'],
          ['', text],
        ]),
        'Anna',
      );
    for (const text of ['Anna', 'Anna left.', '“Anna” left.', 'Anna, who'])
      assert.equal(begins(text), 1, text);
    for (const text of ['Annabel left.', '“Annabel” left.', 'Hanna left.', 'Then Anna left.', ''])
      assert.equal(begins(text), undefined, text);
  });
});

describe('evidenceEdges', () => {
  const titles = [['Linnet'], ['Mara Quist'], ['Dunmarrow'], ['Elm']] as const;

  test('an object that is a subject leads to its paragraph', () => {
    const triples: Triple[] = [
      ['Linnet', 'captain', 'Mara Quist'],
      ['Mara Quist', 'born in', 'Dunmarrow'],
    ];
    assert.deepEqual(evidenceEdges(question(titles, triples)), { edges: [[0, 1]], nodes: [0, 1] });
  });

  test('subjects are listed once, without edges to themselves', () => {
    const triples: Triple[] = [
      ['Elm', 'part of', 'Elm'],
      ['Elm', 'near', 'Linnet'],
      ['Linnet', 'near', 'nothing'],
    ];
    assert.deepEqual(evidenceEdges(question(titles, triples)), { edges: [[3, 0]], nodes: [3, 0] });
    assert.deepEqual(evidenceEdges(question(titles)), { edges: [], nodes: [] });
  });

  test('a subject without a paragraph leaves the question out', () => {
    const triples: Triple[] = [
      ['Linnet', 'captain', 'Mara Quist'],
      ['Velo', 'is', 'Elm'],
    ];
    assert.equal(evidenceEdges(question(titles, triples)), undefined);
  });

  test('an object begins or ends a title, a subject may stand inside', () => {
    const edges = (object: string) =>
      evidenceEdges(
        question(
          [['Linnet'], ['The Old Elm Boat']],
          [
            ['Linnet', 'near', object],
            ['Old Elm', 'is', 'nothing'],
          ],
        ),
      )!.edges;
    assert.deepEqual(edges('Elm Boat'), [[0, 1]]);
    assert.deepEqual(edges('The Old'), [[0, 1]]);
    assert.deepEqual(edges('near The Old Elm Boat'), [[0, 1]]);
    assert.deepEqual(edges('Old Elm'), []);
    assert.deepEqual(edges('Boa'), []);
  });

  test('an object without typography comes before a longer title', () => {
    const triples: Triple[] = [
      ['Linnet', 'captain', 'Mára Quist'],
      ['Mara Quist', 'is', 'nothing'],
      ['Mara Quist (keeper)', 'is', 'nothing'],
    ];
    const titles = [['Linnet'], ['Mara Quist'], ['Mara Quist (keeper)']] as const;
    assert.deepEqual(evidenceEdges(question(titles, triples))!.edges, [[0, 1]]);
  });
});

describe('names without letters', () => {
  test('of another script are not the same for being empty in ASCII', () => {
    const asked = question(
      [['Alpha'], ['東京']],
      [
        ['Alpha', 'capital', '北京'],
        ['東京', 'river', 'Sumida'],
      ],
    );
    assert.deepEqual(evidenceEdges(asked), { edges: [], nodes: [0, 1] });
  });
});
