/** Shares reads of something that others may change among those who want its newest state. */

/**
 * Gives each caller the result of a read that began after it asked: callers that come while a read
 * runs share the next one. A failure is given to those who share it, and is not kept.
 */
export class LatestRead<T> {
  private readonly read: () => Promise<T>;
  private readonly between: () => Promise<void>;
  private running: Promise<T> | undefined;
  private next: Promise<T> | undefined;

  /** `between`: awaited before a read that follows another, so that more callers share it. */
  constructor(read: () => Promise<T>, between: () => Promise<void> = async () => {}) {
    this.read = read;
    this.between = between;
  }

  get(): Promise<T> {
    if (this.next) return this.next;
    if (!this.running) return this.begin();
    this.next = this.following(this.running);
    return this.next;
  }

  private async following(running: Promise<T>): Promise<T> {
    await running.catch(() => {});
    await this.between();
    return this.begin();
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
