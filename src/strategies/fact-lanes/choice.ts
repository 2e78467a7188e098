/** Computes the difference between two choices of evidence for the record of a hop. */
import { defined } from '../../core/defined.ts';
import type { EvidenceItem, Rejection, Withdrawal } from '../../core/trace/trace.ts';
import type { OpenHop } from '../strategy.ts';

type Change = Pick<OpenHop, 'kept' | 'rejected' | 'withdrawn' | 'order' | 'scores'>;

/**
 * Returns the change from `before` to `after`. `rejected` lists every candidate that the new choice
 * refused, withdrawn items included.
 */
export function changeOf(
  before: readonly EvidenceItem[],
  after: readonly EvidenceItem[],
  rejected: readonly Rejection[],
): Change {
  const old = new Map(before.map(item => [item.id, item]));
  const now = new Set(after.map(({ id }) => id));
  const kept = after.filter(({ id }) => !old.has(id));
  if (before.length === 0) return { kept, rejected };
  const withdrawn = withdrawals(
    before.filter(({ id }) => !now.has(id)),
    rejected,
  );
  const scores = after.filter(({ id, score }) => old.has(id) && old.get(id)!.score !== score);
  const unordered = [...before.filter(({ id }) => now.has(id)), ...kept];
  const reordered = after.some(({ id }, at) => unordered[at]!.id !== id);
  return defined({
    kept,
    rejected,
    withdrawn: withdrawn.length > 0 ? withdrawn : undefined,
    order: reordered ? after.map(({ id }) => id) : undefined,
    scores:
      scores.length > 0
        ? Object.fromEntries(scores.map(({ id, score }) => [id, score]))
        : undefined,
  });
}

/** Gives items that the new choice did not try again the reason `outranked`. */
function withdrawals(
  dropped: readonly EvidenceItem[],
  rejected: readonly Rejection[],
): Withdrawal[] {
  const reasons = new Map(rejected.map(rejection => [rejection.id, rejection]));
  return dropped.map(({ id }) => {
    const { why = 'outranked', detail } = reasons.get(id) ?? {};
    return defined({ id, why, detail });
  });
}
