/**
 * Links signals for the time of one run. `AbortSignal.any` lets go of what it links when a
 * collection of the heap finds it unused: a server keeps thousands until then.
 */

export interface LinkedSignal {
  /** Fires with the first of its sources, with the reason of that one. */
  readonly signal: AbortSignal;
  /** Lets the sources go, and ends what still waits for the signal. */
  unlink(): void;
}

/** One for all: a `DOMException` is made with its stack. */
const OVER = new DOMException('The run is over', 'AbortError');

/**
 * Links the sources that are given. A single one is the signal itself, which `unlink` leaves alone;
 * without any, it fires at `unlink` alone.
 */
export function linkedSignal(...signals: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const sources = [...new Set(signals.filter(source => source !== undefined))];
  if (sources.length === 1) return { signal: sources[0]!, unlink: () => {} };
  const controller = new AbortController();
  const unlinks = sources.map(source => abortWith(controller, source));
  return {
    signal: controller.signal,
    unlink: () => {
      for (const unlink of unlinks) unlink();
      controller.abort(OVER);
    },
  };
}

/** Aborts a controller once a signal fires. Returns a function that ends this. */
export function abortWith(controller: AbortController, source: AbortSignal): () => void {
  const stop = (): void => controller.abort(source.reason);
  if (source.aborted) stop();
  else source.addEventListener('abort', stop, { once: true });
  return () => source.removeEventListener('abort', stop);
}
