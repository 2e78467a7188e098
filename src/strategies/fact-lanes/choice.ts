/** What a hop says of a choice that it made anew: the difference from the choice before. */
import type { EvidenceItem, Rejection, Withdrawal } from '../../trace/trace.ts';
import type { OpenHop } from '../strategy.ts';

type Change = Pick<OpenHop, 'kept' | 'rejected' | 'withdrawn' | 'order' | 'scores'>;

/**
 * Returns the change from `before` to `after`. `rejected` is all that the new choice refused, what it
 * withdraws included.
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
  return {
    ...{ kept, rejected },
    ...(withdrawn.length > 0 ? { withdrawn } : {}),
    order: after.map(({ id }) => id),
    ...(scores.length > 0
      ? { scores: Object.fromEntries(scores.map(({ id, score }) => [id, score])) }
      : {}),
  };
}

/** Items that were not even looked at again stand behind others. */
function withdrawals(
  dropped: readonly EvidenceItem[],
  rejected: readonly Rejection[],
): Withdrawal[] {
  const reasons = new Map(rejected.map(rejection => [rejection.id, rejection]));
  return dropped.map(({ id }) => {
    const { why = 'outranked', detail } = reasons.get(id) ?? {};
    return { id, why, ...(detail === undefined ? {} : { detail }) };
  });
}
