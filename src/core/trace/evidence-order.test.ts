/** The evidence after some hops: each item once, without what was withdrawn, in its last order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { defined } from '../defined.ts';
import { keptInOrder } from './evidence-order.ts';
import type { EvidenceItem, Hop } from './trace.ts';

const item = (id: string, score = 1): EvidenceItem => ({
  id,
  documentId: id,
  score,
  search: { hop: 0, search: 0 },
});
const hop = (
  kept: readonly string[],
  order?: readonly string[],
  withdrawn?: readonly string[],
): Hop =>
  defined({
    searches: [],
    kept: kept.map(id => item(id)),
    rejected: [],
    spent: {},
    order,
    withdrawn: withdrawn ? withdrawn.map(id => ({ id, why: 'weak' })) : undefined,
  });
const ids = (...hops: readonly Hop[]): string =>
  keptInOrder(hops)
    .map(({ id }) => id)
    .join(' ');

test('lists items in the order of keeping, each once', () => {
  assert.equal(ids(hop(['b', 'a']), hop(['a', 'c']), hop([])), 'b a c');
  assert.equal(ids(), '');
});

test('reorders the named items first, the others behind in their order', () => {
  assert.equal(ids(hop(['a', 'b', 'c']), hop(['d'], ['c', 'd'])), 'c d a b');
  assert.equal(ids(hop(['a', 'b'], ['b', 'a']), hop(['c'])), 'b a c');
  assert.equal(ids(hop(['a', 'b'], ['b', 'a']), hop(['c'], ['a', 'unknown', 'c'])), 'a c b');
});

test('drops a withdrawn item, which may be kept again behind the others', () => {
  assert.equal(ids(hop(['a', 'b', 'c']), hop(['d'], undefined, ['b'])), 'a c d');
  assert.equal(ids(hop(['a', 'b']), hop(['a'], undefined, ['a'])), 'b a');
  assert.equal(ids(hop(['a', 'b']), hop([], undefined, ['a']), hop(['a'])), 'b a');
  assert.equal(ids(hop(['a']), hop([], undefined, ['a', 'unknown'])), '');
  assert.equal(ids(hop(['a', 'b']), hop(['c'], ['c', 'a', 'b'], ['b'])), 'c a');
});

test('takes the last score of an item', () => {
  const ranked = { ...hop(['b']), scores: { a: 7, gone: 9 } };
  const scored = keptInOrder([hop(['a']), ranked, hop(['a'])]);
  assert.deepEqual(
    scored.map(({ id, score }) => [id, score]),
    [
      ['a', 7],
      ['b', 1],
    ],
  );
});

test('equals a plain list edited hop by hop', () => {
  const some = fc.uniqueArray(fc.constantFrom(...'abcde'));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(some, fc.option(some, { nil: undefined }), some), { maxLength: 6 }),
      rounds => {
        let list: string[] = [];
        for (const [kept, order, withdrawn] of rounds) {
          list = list.filter(id => !withdrawn.includes(id));
          for (const id of kept) if (!list.includes(id)) list.push(id);
          if (order) {
            const first = order.filter(id => list.includes(id));
            list = [...first, ...list.filter(id => !first.includes(id))];
          }
        }
        assert.equal(ids(...rounds.map(round => hop(...round))), list.join(' '));
      },
    ),
  );
});
