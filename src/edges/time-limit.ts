/** The limit on time as a signal, so that a search or a port that is under way is stopped too. */

/** The longest wait a timer takes; a longer limit is no limit. */
const LONGEST_MS = 2 ** 31 - 1;

/** A signal that fires with the user's own, or with a `TimeoutError` after `ms`, which `ask` reads as the limit on time. */
export function withTimeLimit(signal: AbortSignal | undefined, ms: number | undefined): AbortSignal {
  const signals = signal ? [signal] : [];
  if (ms !== undefined && ms >= 0 && ms <= LONGEST_MS) signals.push(AbortSignal.timeout(Math.ceil(ms)));
  return AbortSignal.any(signals);
}
