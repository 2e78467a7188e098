/** Runs works one after another, in the order in which they came. */
export class OneAtATime {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const run = this.last.then(work);
    this.last = run.catch(() => undefined);
    return run;
  }

  /** Settles once all that was passed to `run` has ended. */
  async idle(): Promise<void> {
    await this.last;
  }
}
