/** The clock and the sleep of this machine, which the core is handed and never reaches for. */

/** Milliseconds on a monotonic clock. */
export const monotonicClock = (): number => performance.now();

/** Waits. Rejects with the signal's reason when that fires first. */
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

/**
 * Lets signals, timers and streams have their turn: a run in this process is otherwise one long
 * microtask.
 */
export function takeTurns(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
