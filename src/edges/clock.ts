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
const TURN_MS = 10;

/** Lets long work be interrupted: called often, in the middle of it. */
export type Pause = () => Promise<void>;

/** Returns pauses that yield every 10 ms, and throw the reason of an abort. */
export function pausesFor(signal?: AbortSignal): Pause {
  let last = monotonicClock();
  return async () => {
    if (monotonicClock() - last >= TURN_MS) {
      await takeTurns();
      last = monotonicClock();
    }
    signal?.throwIfAborted();
  };
}

/** Yields to signals, timers and streams: a run in this process is otherwise one long microtask. */
export function takeTurns(): Promise<void> {
  return new Promise(resolve => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else postTurn(resolve);
  });
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
