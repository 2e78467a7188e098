/**
 * The one retry loop: at most three attempts, waits that grow or that the server asked for, never
 * past the deadline.
 */
import { PortError } from '../../errors.ts';
import { mulberry32 } from '../../indexes/mulberry32.ts';
import type { Call } from '../../trace/call.ts';
import { monotonicClock, sleep } from '../clock.ts';
import { Fault, type ModelPort } from './fault.ts';

export interface RetryOptions {
  /** Attempts in all, the first one included. */
  readonly attempts?: number;
  /** The first wait; each further one is twice as long. Milliseconds. */
  readonly firstWaitMs?: number;
  /**
   * A server that asks for a longer wait than this is given up, whatever the deadline.
   * Milliseconds.
   */
  readonly longestWaitMs?: number;
  /** Seed of the jitter. */
  readonly seed?: number;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * More than is left, for one attempt: a run's own clock ends it at its limit, and says which limit
 * that was; an attempt's time is for calls whose signal knows of no limit. Milliseconds.
 */
export const AFTER_DEADLINE: number = 100;

/**
 * One for each server: a server that asks to be left alone is left alone by every call that goes
 * through the same loop.
 */
export class RetryLoop {
  private coolUntil = Number.NEGATIVE_INFINITY;
  private readonly port: ModelPort;
  private readonly who: string;
  private readonly options: Required<RetryOptions>;
  private readonly random: () => number;

  constructor(port: ModelPort, who: string, options: RetryOptions = {}) {
    this.port = port;
    this.who = who;
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
   * `attempt` gets the milliseconds that it may take, some more than are left, and throws `Fault`
   * for what may be tried again. Throws `PortError`, or the signal's reason.
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
          !fault.again ||
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
   * Never less than what the server asked for, and up to 5 % more, so that many clients do not come
   * back at once.
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
      throw new PortError(this.port, 'rate-limited', `${this.who} asked to be left alone`, {
        received: `a wait of ${Math.ceil(wait / 1000)} s, longer than may be waited`,
        retryable: true,
      });
    await sleep(wait, signal);
  }
}

/** The last error, which says how often it was tried. */
function counted(error: PortError, attempts: number): PortError {
  if (attempts === 1) return error;
  const { port, code, retryable, hint } = error;
  // The hint is in the message already.
  const again = new PortError(port, code, `${error.message} (${attempts} attempts)`, { retryable });
  return Object.assign(again, { hint });
}
