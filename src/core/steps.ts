/** Computes in steps, so that a long computation can be spread over many calls. */

/** Yields the work done since the last step, in elements read or written. */
export type Steps<T> = Generator<number, T, void>;

/** Least work of a step. */
export const STEP: number = 1 << 14;

/** Runs all steps that are left, with a pause after each. */
export async function finishWithPauses<T>(steps: Steps<T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await pause();
  }
}

/** Runs asynchronous steps to their end, and lets go of them however they end. */
export async function drain<Step, T>(
  steps: AsyncGenerator<Step, T, void>,
  onStep: (step: Step) => void | Promise<void> = () => {},
): Promise<T> {
  try {
    for (;;) {
      const { done, value } = await steps.next();
      if (done) return value;
      await onStep(value);
    }
  } finally {
    await steps.return(undefined as never);
  }
}

/** Runs all steps that are left. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
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
