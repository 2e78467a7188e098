/** The change of a choice that was made anew, against the two choices themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EvidenceItem, Rejection } from '../../core/trace/trace.ts';
import { changeOf } from './choice.ts';

const item = (id: string, score = 1): EvidenceItem => ({
  id,
  documentId: id,
  score,
  search: { hop: 0, search: 0 },
});
const refusal = (id: string, why: string): Rejection => ({
  id,
  why,
  search: { hop: 0, search: 0 },
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
