/** Ends a run at its limit of time, on the clock of this machine: the one place that does. */
import { linkedSignal } from '../core/trace/linked-signal.ts';
import { monotonicClock } from './clock.ts';

/** Maximum delay of a timer; a longer limit counts as none. */
const MAX_DELAY_MS = 2 ** 31 - 1;

export interface TimeLimitOptions {
  /** The beginning of the time on `monotonicClock`; now if undefined. */
  readonly startedAt?: number | undefined;
  readonly signals?: readonly (AbortSignal | undefined)[] | undefined;
}

/** Holds a timer until it is disposed of. */
export class TimeLimit implements Disposable {
  readonly startedAt: number;
  /** Fires with a `TimeoutError` once the time is over; undefined without a limit. */
  readonly over: AbortSignal | undefined;
  /** Fires once the time is over, and with the signals of the options. */
  readonly signal: AbortSignal;
  private readonly unlink: () => void;
  private timer: Timer | undefined;

  constructor(ms: number | undefined, { startedAt, signals = [] }: TimeLimitOptions = {}) {
    this.startedAt = startedAt ?? monotonicClock();
    const isLimit = ms !== undefined && ms >= 0 && ms <= MAX_DELAY_MS;
    this.over = isLimit ? this.signalIn(ms - (monotonicClock() - this.startedAt)) : undefined;
    ({ signal: this.signal, unlink: this.unlink } = linkedSignal(...signals, this.over));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer as never);
    this.unlink();
  }

  private signalIn(ms: number): AbortSignal {
    const controller = new AbortController();
    const fire = (): void => controller.abort(new DOMException('The time is over', 'TimeoutError'));
    if (ms > 0) this.timer = setTimeout(fire, Math.ceil(ms));
    else fire();
    // A number in browsers, which have no process to keep alive.
    if (typeof this.timer === 'object') this.timer.unref();
    return controller.signal;
  }
}

type Timer = number | { unref(): unknown };
