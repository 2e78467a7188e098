/** Shares reads of something that others may change among those who want its newest state. */

/**
 * Gives each caller the result of a read that began after it asked: callers that come while a read
 * runs share the next one. A failure is given to those who share it, and is not kept.
 */
export class LatestRead<T> {
  private readonly read: () => Promise<T>;
  private running: Promise<T> | undefined;
  private next: Promise<T> | undefined;

  constructor(read: () => Promise<T>) {
    this.read = read;
  }

  get(): Promise<T> {
    if (!this.running) return this.begin();
    const begin = (): Promise<T> => this.begin();
    this.next ??= this.running.then(begin, begin);
    return this.next;
  }

  private begin(): Promise<T> {
    this.next = undefined;
    const running = this.read();
    this.running = running;
    const ended = (): void => {
      // A read that waited for this one may have begun.
      if (this.running === running) this.running = undefined;
    };
    running.then(ended, ended);
    return running;
  }
}
