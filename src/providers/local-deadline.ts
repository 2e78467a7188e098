/** Releases the caller of a model in the process at an abort and when its time is up. */
import type { Call } from '../core/trace/call.ts';
import { timeoutFault } from './fault.ts';
import { AFTER_DEADLINE } from './retry-loop.ts';

/** Maximum delay of a timer in milliseconds; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Awaits the work until the call is aborted or its time is up; `stop` ends the work itself. */
export async function withDeadline<T>(
  work: Promise<T>,
  call: Call,
  label: string,
  stop: () => void,
): Promise<T> {
  const { ms } = call.left();
  const ended = Promise.withResolvers<never>();
  const end = (reason: unknown): void => {
    stop();
    ended.reject(reason);
  };
  const aborted = (): void => end(call.signal.reason);
  call.signal.addEventListener('abort', aborted, { once: true });
  const late = (): void => end(timeoutFault('model', label, 'the whole answer', ms!).error);
  const timer =
    ms === undefined ? undefined : setTimeout(late, Math.min(ms + AFTER_DEADLINE, MAX_TIMER_MS));
  try {
    return await Promise.race([work, ended.promise]);
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener('abort', aborted);
  }
}
