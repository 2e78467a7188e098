/** Numbers of everything in a load test: the full figures, or a share of them. */
export interface Sizes {
  readonly share: number;
  readonly passages: number;
  /** Searches, and asks, before anything is measured: indexes compile after some. */
  readonly warm: number;
  /** Length of one measurement. */
  readonly seconds: number;
  /** Clients of searches and asks. */
  readonly clients: number;
  /** Clients that wait for a slow model. */
  readonly waiting: number;
  /** Event streams at once. */
  readonly streams: number;
  /** Runs that are cut off. */
  readonly cancels: number;
  /** Requests and asks of the endurance test. */
  readonly requests: number;
  readonly asks: number;
}

/** `share`: 1 for the figures that goals are stated for. */
export function sizesOf(share: number): Sizes {
  const part = (full: number, least: number): number => Math.max(least, Math.round(full * share));
  return {
    share,
    passages: part(100_000, 300),
    warm: part(300, 10),
    seconds: part(30, 2),
    clients: 16,
    waiting: part(200, 16),
    streams: part(1_000, 10),
    cancels: part(1_000, 10),
    requests: part(1_000_000, 1_000),
    asks: part(100_000, 50),
  };
}
