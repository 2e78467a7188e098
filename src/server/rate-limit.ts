/** Limits the requests of each client per minute by a token bucket. */
import { monotonicClock } from '../platform/clock.ts';
import { Refusal } from '../session/requests/problem.ts';

const MINUTE_MS = 60_000;
/** Clients that are remembered; the one that was seen longest ago is forgotten first. */
const MOST_CLIENTS = 10_000;

interface Bucket {
  left: number;
  at: number;
}

export class RateLimit {
  private readonly perMinute: number;
  private readonly clock: () => number;
  private readonly buckets = new Map<string, Bucket>();

  /** `perMinute`: requests that a client may also send at once; no limit if it is infinite. */
  constructor(perMinute: number, clock: () => number = monotonicClock) {
    this.perMinute = perMinute;
    this.clock = clock;
  }

  /** Throws `Refusal` (429) with the seconds until the next request. */
  take(client: string): void {
    if (!Number.isFinite(this.perMinute)) return;
    const now = this.clock();
    const { left, at } = this.buckets.get(client) ?? { left: this.perMinute, at: now };
    const filled = Math.min(this.perMinute, left + ((now - at) / MINUTE_MS) * this.perMinute);
    const taken = filled >= 1;
    this.remember(client, { left: taken ? filled - 1 : filled, at: now });
    if (taken) return;
    const seconds = Math.ceil(((1 - filled) / this.perMinute) * 60);
    throw new Refusal(
      429,
      'too-many-requests',
      `Too many requests: expected at most ${this.perMinute} a minute`,
      { 'Retry-After': String(seconds) },
    );
  }

  private remember(client: string, bucket: Bucket): void {
    // Set again, so that the map is in the order of last use.
    this.buckets.delete(client);
    this.buckets.set(client, bucket);
    if (this.buckets.size <= MOST_CLIENTS) return;
    for (const oldest of this.buckets.keys()) {
      this.buckets.delete(oldest);
      return;
    }
  }
}
