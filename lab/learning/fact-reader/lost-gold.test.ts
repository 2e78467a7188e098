/** Tests that questions lose their gold documents, and that no source loses its last one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DataSet, Example } from '../../../src/evaluation/example.ts';
import { lostGold } from './lost-gold.ts';

const SOURCES = ['Velo Dispatch', 'Copper Times', 'Tin Herald'];
const document = fc.constantFrom(...Array.from({ length: 12 }, (_, index) => `d${index}`));
const dataSets = fc
  .array(fc.record({ gold: fc.array(document, { maxLength: 3 }), fold: fc.nat(2) }), {
    maxLength: 20,
  })
  .map(drawn => ({
    folds: drawn.map(({ fold }) => fold),
    dataSet: {
      name: 'x',
      problems: [],
      documents: Array.from({ length: 12 }, (_, index) => ({
        id: `d${index}`,
        title: '',
        text: '',
        metadata: { source: SOURCES[index % 3]! },
      })),
      examples: drawn.map(
        ({ gold }, index): Example => ({
          id: `q${index}`,
          question: { id: `q${index}`, text: 'Who?' },
          answers: ['Ida'],
          type: gold.length === 0 ? 'null' : 'inference',
          gold: gold.map(documentId => ({ documentId, title: '' })),
        }),
      ),
    } satisfies DataSet,
  }));

test('every lost question has no gold document left, and every source has a document', () => {
  fc.assert(
    fc.property(dataSets, ({ dataSet, folds }) => {
      const sets = lostGold(dataSet, folds, 3);
      assert.equal(sets.length, 3);
      for (const [fold, { documents, examples }] of sets.entries()) {
        const kept = new Set(documents.map(({ id }) => id));
        for (const { id, type, gold } of examples) {
          const at = Number(id.slice(1));
          assert.equal(folds[at], fold);
          assert.deepEqual([type, gold], ['null', []]);
          assert.ok(dataSet.examples[at]!.gold.length > 0);
          for (const { documentId } of dataSet.examples[at]!.gold) assert.ok(!kept.has(documentId));
        }
        for (const source of SOURCES)
          assert.ok(documents.some(({ metadata }) => metadata.source === source));
      }
    }),
  );
});

test('a document that is lost already does not count as lost again', () => {
  const lose = (id: string, ...gold: readonly string[]): Example => ({
    id,
    question: { id, text: 'Who?' },
    answers: ['Ida'],
    type: 'inference',
    gold: gold.map(documentId => ({ documentId, title: '' })),
  });
  const documents = ['a', 'b', 'c'].map(id => ({
    id,
    title: '',
    text: '',
    metadata: { source: 'Tin Herald' },
  }));
  const lostOf = (...examples: readonly Example[]): readonly (readonly string[])[] => {
    const [set] = lostGold(
      { name: 'x', problems: [], documents, examples },
      examples.map(() => 0),
      1,
    );
    return [set!.documents.map(({ id }) => id), set!.examples.map(({ id }) => id)];
  };
  assert.deepEqual(lostOf(lose('1', 'a'), lose('2', 'a'), lose('3', 'b')), [
    ['c'],
    ['1', '2', '3'],
  ]);
  // A gold document that the corpus does not have cannot be taken out.
  assert.deepEqual(lostOf(lose('1', 'a', 'elsewhere')), [['a', 'b', 'c'], []]);
});
