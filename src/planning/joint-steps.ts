/**
 * Long work in short steps, shared by all runs that wait for its result: a run pauses between the
 * steps, and where one run ends at its limit, the next goes on instead of beginning again.
 */
import type { Steps } from '../indexes/steps.ts';
import type { Call } from '../trace/call.ts';

export class JointSteps<T> {
  private readonly steps: Steps<T>;
  private result: { readonly value: T } | undefined;
  private failure: { readonly error: unknown } | undefined;

  constructor(steps: Steps<T>) {
    this.steps = steps;
  }

  /**
   * Returns the result, with a pause of the call after each step. An error of a step is thrown to
   * every run that waits; an error of the pause (limit, abort) only to its own run.
   */
  async finish(call: Pick<Call, 'pause' | 'signal'>): Promise<T> {
    while (!this.result) {
      this.step();
      await call.pause?.();
      call.signal.throwIfAborted();
    }
    return this.result.value;
  }

  private step(): void {
    if (this.failure) throw this.failure.error;
    try {
      const { done, value } = this.steps.next();
      if (done) this.result ??= { value };
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }
}

/** Uses the items in order, with a pause after each `size` of them. */
export function* inSteps<T>(
  items: Iterable<T>,
  size: number,
  use: (item: T, index: number) => void,
): Steps<void> {
  let index = 0;
  for (const item of items) {
    use(item, index++);
    if (index % size === 0) yield size;
  }
}
