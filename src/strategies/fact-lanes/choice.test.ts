/** The change of a choice that was made anew, against the two choices themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keptInOrder } from '../../core/trace/evidence-order.ts';
import type { EvidenceItem, Rejection } from '../../core/trace/trace.ts';
import { changeOf } from './choice.ts';

const item = (id: string, score = 1): EvidenceItem => ({
  ...{ id, documentId: id, score },
  search: { hop: 0, search: 0 },
});
const refusal = (id: string, why: string): Rejection => ({
  id,
  why,
  search: { hop: 0, search: 0 },
});

test('lists the first choice as kept', () => {
  const change = changeOf([], [item('a')], [refusal('b', 'cap')]);
  assert.deepEqual(change, { kept: [item('a')], rejected: [refusal('b', 'cap')] });
});

test('lists additions, withdrawals with reasons, order and new scores of a later choice', () => {
  const before = [item('a'), item('b'), item('c')];
  const rejected = [{ ...refusal('b', 'budget'), detail: '3 tokens, 2 left' }, refusal('d', 'cap')];
  assert.deepEqual(changeOf(before, [item('f'), item('a', 2)], rejected), {
    kept: [item('f')],
    rejected,
    withdrawn: [
      { id: 'b', why: 'budget', detail: '3 tokens, 2 left' },
      { id: 'c', why: 'outranked' },
    ],
    order: ['f', 'a'],
    scores: { a: 2 },
  });
});

test('restores consecutive choices from their changes, with scores', () => {
  const choice = fc.uniqueArray(
    fc.record({ id: fc.constantFrom(...'abcdef'), score: fc.integer({ max: 3 }) }),
    { selector: ({ id }) => id },
  );
  fc.assert(
    fc.property(fc.array(choice, { minLength: 1, maxLength: 6 }), choices => {
      const hops = [];
      let before: readonly EvidenceItem[] = [];
      for (const chosen of choices) {
        const after = chosen.map(({ id, score }) => item(id, score));
        hops.push(changeOf(before, after, []));
        before = after;
        assert.deepEqual(keptInOrder(hops), after);
      }
    }),
  );
});
