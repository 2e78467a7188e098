/** Turns a time limit into a signal, so that searches and port calls under way stop too. */
import { monotonicClock } from './clock.ts';

/** Maximum delay of a timer; a longer limit counts as none. */
const MAX_DELAY_MS = 2 ** 31 - 1;

export interface LimitedTime {
  /** For `ask`: a signal that fires with a `TimeoutError` once the time is over. */
  readonly limit: { readonly timeLimit?: AbortSignal };
  /** Ends the timer, which holds its signal. */
  end(): void;
}

/** Limits a run to `ms` since it began, by default now. */
export function limitTime(
  ms: number | undefined,
  startedAt: number = monotonicClock(),
): LimitedTime {
  if (ms === undefined || !(ms >= 0 && ms <= MAX_DELAY_MS)) return { limit: {}, end: () => {} };
  const controller = new AbortController();
  const fire = (): void => controller.abort(new DOMException('The time is over', 'TimeoutError'));
  const left = Math.ceil(ms - (monotonicClock() - startedAt));
  const timer: Timer | undefined = left > 0 ? setTimeout(fire, left) : undefined;
  // A number in browsers, which have no process to keep alive.
  if (timer === undefined) fire();
  else if (typeof timer === 'object') timer.unref();
  return { limit: { timeLimit: controller.signal }, end: () => clearTimeout(timer as never) };
}

type Timer = number | { unref(): unknown };
