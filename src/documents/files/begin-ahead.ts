/** Begins work before its results are asked for. */

/** Yields the steps in their order, of which so many are asked for before they are used. */
export async function* askedAhead<T>(
  steps: AsyncGenerator<T, void, void>,
  most: number,
): AsyncGenerator<T, void, void> {
  const asked: Promise<IteratorResult<T, void>>[] = [];
  try {
    for (;;) {
      while (asked.length < most) asked.push(handled(steps.next()));
      const { done, value } = await asked.shift()!;
      if (done) return;
      yield value;
    }
  } finally {
    await steps.return();
  }
}

/**
 * Begins now what yields all of its results once they are asked for, and throws then. All of them
 * are in memory at once.
 */
export function begun<T>(
  work: AsyncIterable<T>,
  signal?: AbortSignal,
): AsyncGenerator<T, void, void> {
  const found: T[] = [];
  const end = handled(gather(work, found, signal));
  return (async function* () {
    try {
      await end;
    } finally {
      yield* found;
    }
  })();
}

async function gather<T>(
  work: AsyncIterable<T>,
  found: T[],
  signal: AbortSignal | undefined,
): Promise<void> {
  for await (const each of work) {
    signal?.throwIfAborted();
    found.push(each);
  }
}

/** Returns a promise that may be rejected before anybody waits for it. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
