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
