/** Repeats work that a server has no room for. */
import { PortError } from '../../../core/errors.ts';
import type { Call } from '../../../core/trace/call.ts';
import { sleep } from '../../../platform/clock.ts';

const ATTEMPTS = 8;
/** The wait doubles. Milliseconds. */
const FIRST_WAIT_MS = 100;

/**
 * Repeats work that fails with `engine-busy`, for at most `timeoutMs` and a number of attempts.
 * Throws the last refusal, and every other failure at once.
 */
export async function untilRoom<T>(
  timeoutMs: number,
  call: Call,
  work: () => Promise<T>,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const wait = FIRST_WAIT_MS * 2 ** (attempt - 1);
      const isBusy = PortError.is(error) && error.code === 'engine-busy';
      if (!isBusy || attempt >= ATTEMPTS || Date.now() + wait >= end) throw error;
      await sleep(wait, call.signal);
    }
  }
}
