/** Tests that options of two searches stand in the order of their documents' reciprocal ranks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TextWords, Vocabulary } from '../../models/fact-ranker/text-words.ts';
import type { Option } from './keep.ts';
import { inFusedOrder } from './options.ts';

const words = new TextWords('', new Vocabulary());
const option = (documentId: string, at: number, score: number, lane: number): Option => ({
  item: {
    id: `${documentId}/${at}`,
    documentId,
    search: { hop: 0, search: 0 },
    score,
    spans: [[at, at + 1]],
  },
  lane,
  source: '',
  text: words,
  header: words,
  score,
});
const options = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom(...'abcdef'),
    fc.nat(3),
    fc.double({ min: -9, max: 9, noNaN: true }),
    fc.nat(2),
  ),
  { selector: ([document, at]) => `${document}/${at}` },
);
const documentsOf = (list: readonly Option[]): string[] => [
  ...new Set(list.toSorted((a, b) => b.score - a.score).map(({ item }) => item.documentId)),
];

/** The documents by the sum of 1 / (5 + rank), ties by id. */
const slowOrder = (orders: readonly (readonly string[])[]): string[] => {
  const sums = new Map<string, number>();
  for (const id of new Set(orders.flat())) {
    const parts = orders
      .filter(order => order.includes(id))
      .map(order => 1 / (6 + order.indexOf(id)));
    sums.set(
      id,
      parts.sort((a, b) => a - b).reduce((sum, part) => sum + part, 0),
    );
  }
  return [...sums.keys()].sort((a, b) => sums.get(b)! - sums.get(a)! || (a < b ? -1 : 1));
};

test('documents stand by their reciprocal ranks, each sentence once, as far apart as before', () => {
  fc.assert(
    fc.property(options, options, (first, second) => {
      const [before, own] = [first, second].map(list => list.map(each => option(...each)));
      const orders = [documentsOf(before!), documentsOf(own!)];
      const fused = inFusedOrder([...before!, ...own!], orders);
      const ids = fused.map(({ item }) => item.id);
      assert.deepEqual(new Set(ids), new Set([...before!, ...own!].map(({ item }) => item.id)));
      assert.equal(new Set(ids).size, ids.length);
      const best = (id: string): number =>
        Math.max(...fused.filter(({ item }) => item.documentId === id).map(({ score }) => score));
      const order = slowOrder(orders);
      for (const [at, id] of order.slice(1).entries())
        assert.ok(best(id) <= best(order[at]!) + 1e-9);
      const known = new Map(own!.concat(before!).map(each => [each.item.id, each.score]));
      for (const a of fused)
        for (const b of fused)
          if (a.item.documentId === b.item.documentId)
            assert.ok(
              Math.abs(a.score - b.score - known.get(a.item.id)! + known.get(b.item.id)!) < 1e-9,
            );
    }),
  );
});
