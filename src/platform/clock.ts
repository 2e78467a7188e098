/** Provides the clock and the timer of this machine, which the core receives as parameters. */

/** Returns milliseconds on a monotonic clock. */
export const monotonicClock = (): number => performance.now();

/** Waits `ms` milliseconds. Rejects with the signal's reason if it fires first. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Longest work without a turn of the event loop, in milliseconds, if pauses come often enough. */
const TURN_MS = 4;

/** Lets long work be interrupted: called often, in the middle of it. */
export type Pause = () => Promise<void>;

/** Returns pauses that yield every `TURN_MS`, and throw the reason of an abort. */
export function pausesFor(signal?: AbortSignal): Pause {
  const { due, turn } = turnsOfWork();
  return async () => {
    if (due()) await turn();
    signal?.throwIfAborted();
  };
}

/** The turns that one piece of work owes the event loop. */
export interface TurnsOfWork {
  /** Tells whether the work has gone on for `TURN_MS` without one. */
  due(): boolean;
  /** Yields. */
  turn(): Promise<void>;
}

export function turnsOfWork(): TurnsOfWork {
  let last = monotonicClock();
  return {
    due: () => monotonicClock() - last >= TURN_MS,
    async turn() {
      await takeTurns();
      last = monotonicClock();
    },
  };
}

/** Those who yielded, in their order. */
const yielded: (() => void)[] = [];

/**
 * Yields to signals, timers and streams: a run in this process is otherwise one long microtask.
 * Each turn of the event loop lets one go on, so that many runs hold it no longer than one does.
 */
export function takeTurns(): Promise<void> {
  return new Promise(resolve => {
    if (yielded.push(resolve) === 1) awaitTurn();
  });
}

function awaitTurn(): void {
  if (typeof setImmediate === 'function') serveFirst(monotonicClock());
  else postTurn(goOn);
}

/** Longest time that the event loop serves others between two turns, in milliseconds. */
const SERVE_MS = 10;
/** An iteration of the event loop that takes longer, in milliseconds, has found something to do. */
const IDLE_MS = 0.05;

/**
 * Goes on once the event loop finds nothing to do, or after `SERVE_MS`: an iteration accepts one
 * connection (libuv), so that many new ones would wait for as many turns.
 */
function serveFirst(since: number, last: number = since): void {
  setImmediate(() => {
    const now = monotonicClock();
    if (now - last > IDLE_MS && now - since < SERVE_MS) serveFirst(since, now);
    else goOn();
  });
}

function goOn(): void {
  yielded.shift()!();
  if (yielded.length > 0) awaitTurn();
}

/** Browsers have no `setImmediate`; their nested timers wait at least 4 ms, a message does not. */
function postTurn(resolve: () => void): void {
  const { port1, port2 } = new MessageChannel();
  // Web ports deliver to a listener once they are started; closing lets Deno's process end.
  port1.addEventListener('message', () => {
    port1.close();
    resolve();
  });
  port1.start();
  port2.postMessage(undefined);
}
