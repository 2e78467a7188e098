/** Turns work that reports through a callback into a generator of its reports. */

import { abortWith } from '../core/trace/linked-signal.ts';

/** One for all: a `DOMException` is made with its stack. */
const LEFT = new DOMException('The events were left', 'AbortError');

/**
 * Yields each emitted event as it comes, and returns the result of the work. Leaving the generator
 * early aborts the work and waits for its end.
 */
export async function* emittedEvents<Event, Result>(
  work: (emit: (event: Event) => void, signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Event, Result, void> {
  const left = new AbortController();
  const queue: Event[] = [];
  let wake = (): void => {};
  let finished = false;
  const emit = (event: Event): void => {
    queue.push(event);
    wake();
  };
  const unlink = signal ? abortWith(left, signal) : () => {};
  const running = work(emit, left.signal);
  const ended = running.then(
    () => {},
    () => {},
  );
  ended.then(() => {
    finished = true;
    wake();
  });
  try {
    while (!finished || queue.length > 0) {
      if (queue.length > 0) yield queue.shift()!;
      else
        await new Promise<void>(resolve => {
          wake = resolve;
        });
    }
    return await running;
  } finally {
    unlink();
    left.abort(LEFT);
    await ended;
  }
}
