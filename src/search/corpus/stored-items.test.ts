/** Tests that stored items are those that were packed, however their ids are ordered. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chunkers } from '../../core/corpus/chunk.ts';
import type { Document } from '../../core/corpus/document.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import { finish } from '../../core/steps.ts';
import { compareIds, cutBy, cutItems } from './items.ts';
import { packItems, unpackItems } from './stored-items.ts';

const cut = cutBy(chunkers.create('tokens(size=8, overlap=0)'));
const UNITS: readonly Unit[] = ['document', 'passage', 'sentence'];

const words = fc.array(fc.constantFrom('Ferry', 'sails.', 'It', 'waits.', 'Cars', 'drive.'), {
  maxLength: 40,
});
/** Ids that sort between the items of another document are the hard case. */
const ids = fc.constantFrom('a', 'a#s', 'a#s0001', 'a#s0000x', 'a#p0000', 'b', 'b.c', 'ä', '');
const corpora = fc
  .uniqueArray(fc.record({ id: ids, words }), { selector: ({ id }) => id, maxLength: 9 })
  .map(list =>
    list
      .map(({ id, words: text }): Document => {
        return { id, title: '', text: text.join(' '), metadata: {} };
      })
      .sort(compareIds),
  );

test('stored items equal those that were packed, with and without stored places', () => {
  fc.assert(
    fc.property(corpora, fc.constantFrom(...UNITS), (documents, unit) => {
      const items = finish(cutItems(documents, unit, cut));
      const packed = packItems(items, documents.length);
      const { firsts: _, counts: __, ...without } = packed;
      for (const form of [packed, without]) {
        const stored = unpackItems(form, unit, documents);
        assert.deepEqual([...stored.documentOf], [...items.documentOf]);
        assert.deepEqual([...stored.placeOf], [...items.placeOf]);
        const plain = items.items.map(({ id, documentId, start, end, text }) => {
          return { id, documentId, start, end, text };
        });
        assert.deepEqual(
          stored.items.map(({ id, documentId, start, end, text }) => {
            return { id, documentId, start, end, text };
          }),
          plain,
        );
        for (const [position, { id }] of items.items.entries())
          assert.equal(stored.positionOf(id), position);
        for (const id of ['', 'a#s', 'a#s-001', 'a#s0.5', 'a#s9999', 'c#p0000', 'a#s00001'])
          assert.equal(stored.positionOf(id), items.positionOf(id), id);
        for (const document of documents.keys())
          assert.deepEqual(
            stored.of(document).map(({ id }) => id),
            items.of(document).map(({ id }) => id),
          );
      }
    }),
  );
});

test('items that follow each other are stored with their places; those of others are refused', () => {
  const documents = ['a', 'b'].map(id => ({ id, title: '', text: 'One. Two.', metadata: {} }));
  const items = finish(cutItems(documents, 'sentence', cut));
  const packed = packItems(items, 2);
  assert.deepEqual(
    [[...packed.firsts!], [...packed.counts!]],
    [
      [0, 2],
      [2, 2],
    ],
  );
  assert.throws(() => unpackItems(packed, 'sentence', documents.slice(1)), { code: 'bad-index' });
  const { firsts: _, counts: __, ...without } = packed;
  assert.throws(() => unpackItems(without, 'sentence', documents.slice(1)), { code: 'bad-index' });
  assert.throws(() =>
    unpackItems({ ...packed, ends: packed.ends.slice(1) }, 'sentence', documents),
  );
  const between = [...documents, { ...documents[0]!, id: 'a#s0000x' }].sort(compareIds);
  const mixed = packItems(finish(cutItems(between, 'sentence', cut)), 3);
  assert.equal(mixed.firsts, undefined);
});
