/**
 * Interrupts a run between two calls of its engine: lets the event loop run now and then, and ends
 * the run at its time limit.
 */
import { BudgetReached } from '../core/trace/call.ts';
import type { Ledger } from '../core/trace/ledger.ts';
import type { Clock } from './ask-options.ts';

/** Longest work without a turn of the event loop, in milliseconds, if calls come often enough. */
const TURN_MS = 4;
/** Time that reading may take beyond the limit: a share of it, and at least these milliseconds. */
const READING_SHARE = 0.05;
const READING_MS = 25;

/** Milliseconds by which reading the evidence may exceed a time limit. */
export const readingGrace = (ms: number): number => Math.max(READING_MS, READING_SHARE * ms);

export interface PauseOptions {
  readonly clock: Clock;
  readonly turn: (() => Promise<void>) | undefined;
  readonly ledger: Pick<Ledger, 'budget' | 'elapsed'>;
}

export interface Pause {
  /**
   * Tells whether the event loop has waited. Called right before the work: of calls that are made
   * together, the first ones have worked by then.
   */
  due(): boolean;
  /** Lets the event loop run if it has waited. */
  turn(): Promise<void>;
  /** Throws `BudgetReached('ms')` at the limit. Called right before the work, too. */
  check(): void;
}

export interface Pauses {
  readonly inHops: Pause;
  /** Allows `readingGrace` beyond the limit, so that evidence found by then is still read. */
  readonly inReading: Pause;
}

/** Returns the pause of a call: a turn, then the checks of signal and limit. */
export const pauseOfCall =
  (pause: Pause, signal: AbortSignal): (() => Promise<void>) =>
  async () => {
    await pause.turn();
    signal.throwIfAborted();
    pause.check();
  };

export function pausesOf({ clock, turn, ledger }: PauseOptions): Pauses {
  const limit = ledger.budget.ms ?? Number.POSITIVE_INFINITY;
  let last = clock();
  const due = (): boolean => turn !== undefined && clock() - last >= TURN_MS;
  const until = (latest: number): Pause => ({
    due,
    async turn() {
      if (!due()) return;
      await turn!();
      last = clock();
    },
    check() {
      if (ledger.elapsed() >= latest) throw new BudgetReached('ms');
    },
  });
  return { inHops: until(limit), inReading: until(limit + readingGrace(limit)) };
}
