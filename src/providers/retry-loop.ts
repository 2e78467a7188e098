/**
 * Repeats failed calls of a provider: at most three attempts, with growing waits or those that the
 * server asked for, never past the deadline.
 */
import { PortError } from '../core/errors.ts';
import { mulberry32 } from '../core/mulberry32.ts';
import type { Call } from '../core/trace/call.ts';
import { monotonicClock, sleep } from '../platform/clock.ts';
import { Fault, type ModelPort, RefusedError } from './fault.ts';

export interface RetryOptions {
  /** Total attempts, including the first. */
  readonly attempts?: number;
  /** First wait, doubled for each further one. Milliseconds. */
  readonly firstWaitMs?: number;
  /** Longest wait that a server may ask for; a longer one ends the loop. Milliseconds. */
  readonly longestWaitMs?: number;
  /** Seed of the jitter. */
  readonly seed?: number;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Milliseconds beyond the deadline that an attempt may take. The run's own clock ends it first and
 * names the exceeded limit; this applies to calls whose signal has no limit.
 */
export const AFTER_DEADLINE: number = 100;

/**
 * Retries the calls of one server. A pause that the server asks for delays all calls of the loop.
 */
export class RetryLoop {
  private coolUntil = Number.NEGATIVE_INFINITY;
  private readonly port: ModelPort;
  private readonly label: string;
  private readonly options: Required<RetryOptions>;
  private readonly random: () => number;

  constructor(port: ModelPort, label: string, options: RetryOptions = {}) {
    this.port = port;
    this.label = label;
    this.options = {
      attempts: 3,
      firstWaitMs: 500,
      longestWaitMs: 60_000,
      seed: 1,
      clock: monotonicClock,
      sleep,
      ...options,
    };
    this.random = mulberry32(this.options.seed);
  }

  /**
   * Runs `attempt` until it succeeds or may not be repeated. `attempt` receives its time limit in
   * milliseconds and throws `Fault` if it can be repeated. Throws `PortError`, or the signal's
   * reason.
   */
  async run<T>(call: Call, attempt: (leftMs: number) => Promise<T>): Promise<T> {
    const { clock, attempts, sleep } = this.options;
    const deadline = clock() + (call.left().ms ?? Number.POSITIVE_INFINITY);
    for (let number = 1; ; number++) {
      await this.coolDown(call.signal, deadline);
      call.signal.throwIfAborted();
      try {
        return await attempt(deadline - clock() + AFTER_DEADLINE);
      } catch (fault) {
        call.signal.throwIfAborted();
        if (!(fault instanceof Fault)) throw fault;
        const wait = this.waitAfter(fault, number);
        if (fault.afterMs !== undefined) this.coolUntil = Math.max(this.coolUntil, clock() + wait);
        if (
          !fault.retry ||
          number >= attempts ||
          wait > this.options.longestWaitMs ||
          clock() + wait >= deadline
        )
          throw counted(fault.error, number);
        await sleep(wait, call.signal);
      }
    }
  }

  /**
   * Returns the wait: at least what the server asked for, plus up to 5 %, so that clients do not
   * return all at once.
   */
  private waitAfter(fault: Fault, number: number): number {
    if (fault.afterMs !== undefined) return Math.ceil(fault.afterMs * (1 + 0.05 * this.random()));
    return this.options.firstWaitMs * 2 ** (number - 1) * (0.5 + 0.5 * this.random());
  }

  private async coolDown(signal: AbortSignal, deadline: number): Promise<void> {
    const { clock, longestWaitMs, sleep } = this.options;
    const wait = this.coolUntil - clock();
    if (wait <= 0) return;
    if (wait > longestWaitMs || clock() + wait >= deadline)
      throw new PortError(this.port, 'rate-limited', `${this.label} asked for a pause`, {
        received: `a wait of ${Math.ceil(wait / 1000)} s, longer than the limit`,
        retryable: true,
      });
    await sleep(wait, signal);
  }
}

/** Returns the last error with the number of attempts. */
function counted(error: PortError, attempts: number): PortError {
  // A refusal tells by its type what the request may go without.
  if (attempts === 1 || error instanceof RefusedError) return error;
  const { port, code, retryable, hint, remedy } = error;
  // The message already contains the hint.
  const final = new PortError(port, code, `${error.message} (${attempts} attempts)`, { retryable });
  return Object.assign(final, { hint, remedy });
}
