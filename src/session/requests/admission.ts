/**
 * Lets a bounded number of runs go at once and a bounded number wait, fairly among clients: the
 * next is one of the client with the fewest runs, and a full queue gives a place of its busiest
 * client to another client.
 */
import { Refusal } from './problem.ts';

export interface AdmissionOptions {
  /** Runs at once. */
  readonly concurrent: number;
  /** Requests that wait. */
  readonly queue: number;
}

interface Waiting {
  readonly client: string;
  admit(): void;
  refuse(error: Error): void;
}

export class Admission {
  private readonly options: AdmissionOptions;
  private readonly running = new Map<string, number>();
  private waiting: Waiting[] = [];
  private count = 0;

  constructor(options: AdmissionOptions) {
    this.options = options;
  }

  /** Numbers of runs that go and wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.count, waiting: this.waiting.length };
  }

  /**
   * Waits for a place; the returned function gives it back, once. Throws `Refusal` (503) if the
   * queue is full, and the signal's reason.
   */
  async enter(client: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.count >= this.options.concurrent) await this.wait(client, signal);
    else this.begin(client);
    let held = true;
    return () => {
      if (held) this.leave(client);
      held = false;
    };
  }

  /** Throws `Refusal` (503) if the client would be refused now. */
  checkRoom(client: string): void {
    if (this.count >= this.options.concurrent) this.displaced(client);
  }

  private begin(client: string): void {
    this.count++;
    this.running.set(client, (this.running.get(client) ?? 0) + 1);
  }

  private leave(client: string): void {
    this.count--;
    const left = this.running.get(client)! - 1;
    if (left > 0) this.running.set(client, left);
    else this.running.delete(client);
    const next = this.takeNext();
    if (!next) return;
    this.begin(next.client);
    next.admit();
  }

  private wait(client: string, signal: AbortSignal): Promise<void> {
    this.makeRoom(client);
    return new Promise((resolve, reject) => {
      const stop = (): void => waiting.refuse(signal.reason as Error);
      const waiting: Waiting = {
        client,
        admit() {
          signal.removeEventListener('abort', stop);
          resolve();
        },
        refuse: error => {
          signal.removeEventListener('abort', stop);
          this.waiting = this.waiting.filter(other => other !== waiting);
          reject(error);
        },
      };
      signal.addEventListener('abort', stop, { once: true });
      this.waiting.push(waiting);
    });
  }

  /** Refuses the newest request of the client that waits most, if that is not this client. */
  private makeRoom(client: string): void {
    this.displaced(client)?.refuse(busy());
  }

  /** Returns the request that gives its place to this client; undefined if a place is free. */
  private displaced(client: string): Waiting | undefined {
    if (this.waiting.length < this.options.queue) return undefined;
    const waits = new Map<string, number>();
    for (const request of this.waiting)
      waits.set(request.client, (waits.get(request.client) ?? 0) + 1);
    const [busiest, most] = [...waits].reduce((a, b) => (b[1] > a[1] ? b : a), [client, 0]);
    if (most <= (waits.get(client) ?? 0) + 1) throw busy();
    return this.waiting.findLast(request => request.client === busiest)!;
  }

  /** The oldest request of the client with the fewest runs. */
  private takeNext(): Waiting | undefined {
    let next: Waiting | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const request of this.waiting) {
      const runs = this.running.get(request.client) ?? 0;
      if (runs < fewest) [next, fewest] = [request, runs];
    }
    if (next) this.waiting = this.waiting.filter(request => request !== next);
    return next;
  }
}

const busy = (): Refusal =>
  new Refusal(503, 'busy', 'The server is busy: as many requests wait as may', {
    'Retry-After': '1',
  });
