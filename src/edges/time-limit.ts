/** Turns a time limit into a signal, so that searches and port calls under way stop too. */
import { monotonicClock } from './clock.ts';

/** Maximum delay of a timer; a longer limit counts as none. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * Returns `{ timeLimit }` for `ask`, a signal that fires with a `TimeoutError` `ms` after the run
 * began, by default now; `{}` without a limit.
 */
export function timeLimitOf(
  ms: number | undefined,
  startedAt: number = monotonicClock(),
): { readonly timeLimit?: AbortSignal } {
  if (ms === undefined || !(ms >= 0 && ms <= MAX_DELAY_MS)) return {};
  const left = Math.ceil(ms - (monotonicClock() - startedAt));
  if (left > 0) return { timeLimit: AbortSignal.timeout(left) };
  return { timeLimit: AbortSignal.abort(new DOMException('The time is over', 'TimeoutError')) };
}
