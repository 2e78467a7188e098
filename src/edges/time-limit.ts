/** The limit on time as a signal, so that a search or a port that is under way is stopped too. */

/** The longest wait a timer takes; a longer limit is no limit. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * `{ timeLimit }` for `ask`, a signal that fires with a `TimeoutError` after `ms`; `{}` where there
 * is no such limit.
 */
export function timeLimitOf(ms: number | undefined): { readonly timeLimit?: AbortSignal } {
  if (ms === undefined || !(ms >= 0 && ms <= LONGEST_MS)) return {};
  return { timeLimit: AbortSignal.timeout(Math.ceil(ms)) };
}
