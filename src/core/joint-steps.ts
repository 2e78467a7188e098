/** Builds once, in steps, what several calls wait for. */
import type { Steps } from './steps.ts';

/**
 * Steps that calls take together, each in its turn. A call that stops leaves the rest to the next;
 * steps that throw are begun again by the next call.
 */
export class JointSteps<T> {
  private readonly begin: () => Steps<T>;
  private steps: Steps<T> | undefined;
  private ended: { readonly value: T } | undefined;

  constructor(begin: () => Steps<T>) {
    this.begin = begin;
  }

  /** Takes the steps that are left. */
  *finished(): Steps<T> {
    while (!this.ended) {
      const next = this.next();
      if (next.done) [this.ended, this.steps] = [{ value: next.value }, undefined];
      else yield next.value;
    }
    return this.ended.value;
  }

  private next(): IteratorResult<number, T> {
    this.steps ??= this.begin();
    try {
      return this.steps.next();
    } catch (error) {
      this.steps = undefined;
      throw error;
    }
  }
}
