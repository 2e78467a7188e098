/** Turns a time limit into a signal, so that searches and port calls under way stop too. */

/** Maximum delay of a timer; a longer limit counts as none. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * Returns `{ timeLimit }` for `ask`, a signal that fires with a `TimeoutError` after `ms`; `{}`
 * without a limit.
 */
export function timeLimitOf(ms: number | undefined): { readonly timeLimit?: AbortSignal } {
  if (ms === undefined || !(ms >= 0 && ms <= MAX_DELAY_MS)) return {};
  return { timeLimit: AbortSignal.timeout(Math.ceil(ms)) };
}
