/** Tests the stems of articles, their weights and the spelling of stems on two small articles. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AnalysisCache } from '../../core/corpus/analysis-cache.ts';
import type { Document } from '../../core/corpus/document.ts';
import { stemOf } from '../../language/english/words/stems.ts';
import { topicStems } from '../../language/english/words/topic-stems.ts';
import { Said } from '../../language/said.ts';
import { type Articles, articlesOf } from './evidence-articles.ts';
import type { FactReading } from './reading.ts';

const document = (id: string, title: string, text: string): Document => ({
  id,
  title,
  text,
  metadata: {},
});
const FEES = document('a', 'Harbour fees', 'Ferrymen paid fees. Boats paid. Boats left.');
const KELP = document('b', 'Kelp', 'Kelp shrank. Divers left.');

function articles(
  documents: readonly Document[],
  shown: readonly (readonly [id: string, text: string])[] = [],
  analysis = new AnalysisCache(),
): Articles {
  const parts = [
    { documentId: 'a', title: 'Harbour fees', source: 'Velo', day: '2023-10-01' },
    { documentId: 'b', title: 'Kelp', source: 'Tin', day: '' },
  ];
  const sentences = shown.map(([documentId, text]) => ({ documentId, said: new Said(text) }));
  return articlesOf({ parts, sentences } as unknown as FactReading, documents, analysis);
}

describe('articlesOf', () => {
  test('keeps source, day, title, shown and unshown sentences of each article', () => {
    const shown = [['a', 'Boats left.'] as const, ['b', 'Kelp shrank.'] as const];
    const [fees, kelp, ...rest] = articles([FEES, KELP], shown).all;
    assert.deepEqual(rest, []);
    assert.deepEqual([fees!.id, fees!.source, fees!.day], ['a', 'Velo', '2023-10-01']);
    assert.deepEqual([kelp!.id, kelp!.source, kelp!.day], ['b', 'Tin', '']);
    assert.deepEqual(fees!.shown, topicStems('harbour fees boats left'));
    assert.deepEqual(kelp!.shown, topicStems('kelp shrank'));
    assert.equal(fees!.sentences, 3);
    const having = { ferrymen: [0], paid: [0, 1], fees: [0], boats: [1, 2], left: [2] };
    assert.deepEqual(
      fees!.having,
      new Map(Object.entries(having).map(([word, numbers]) => [stemOf(word), numbers])),
    );
    assert.deepEqual(fees!.whole, topicStems('harbour fees ferrymen paid boats left'));
  });

  test('leaves out a document that the context does not show', () => {
    assert.deepEqual(articles([document('z', 'Kelp', 'Kelp.')]).all, []);
  });

  test('reads a document once for one cache', () => {
    const analysis = new AnalysisCache();
    const [first] = articles([FEES], [], analysis).all;
    const [again] = articles([{ ...FEES, text: 'Changed.' }], [], analysis).all;
    assert.equal(again!.whole, first!.whole);
  });
});

describe('weight', () => {
  test('is ln(1 + (n + 1) / (1 + df)) over the sentences of all articles, titles apart', () => {
    const { weight } = articles([FEES, KELP]);
    for (const [word, df] of [
      ['boats', 2],
      ['left', 2],
      ['divers', 1],
      ['harbour', 0],
      ['dragons', 0],
    ] as const)
      for (const _ of [1, 2])
        assert.equal(weight([...topicStems(word)][0]!), Math.log(1 + 6 / (1 + df)), word);
  });

  test('is ln 2 without articles', () => {
    assert.equal(articles([]).weight('kelp'), Math.log(2));
  });
});

describe('spelled', () => {
  test('keeps a stem that some article has, though another article has one close to it', () => {
    const near = [document('a', '', 'Ferrymen.'), document('b', '', 'Ferryman.')];
    for (const stem of topicStems('ferrymen ferryman'))
      assert.equal(articles(near).spelled(stem), stem);
  });

  test('mends one edit by any article, the first that has one near', () => {
    assert.equal(articles([FEES, KELP]).spelled('harbuor'), 'harbour');
    assert.equal(articles([FEES, KELP]).spelled('shrenk'), 'shrank');
    assert.equal(articles([FEES, KELP]).spelled('shrenkk'), 'shrenkk');
    assert.equal(articles([]).spelled('harbuor'), 'harbuor');
  });
});
