/// <reference path="autocannon.d.ts" />
/** Sends many requests at once by autocannon, and sums up what came back. */
import { setTimeout as wait } from 'node:timers/promises';
import type { CannonRequest } from 'autocannon';
import { defined } from '../../src/core/defined.ts';
import { TOKEN } from './children.ts';

/** One kind of request; `body` makes the next one. */
export interface Shot {
  readonly path: string;
  /** POST with a body of JSON, else GET. */
  readonly body?: () => unknown;
  /** Sees every body of status 200; a returned text is counted as a fault. */
  readonly check?: (body: string) => string | undefined;
}

export interface Barrage {
  readonly url: string;
  readonly connections: number;
  /** Ends after so many seconds, or so many requests. */
  readonly seconds?: number;
  readonly amount?: number;
  /** Requests a second of all connections; as many as they can if missing. */
  readonly rate?: number;
  /** Milliseconds over which connections begin; at once if missing. */
  readonly rampMs?: number;
  /** Sent in turn. */
  readonly shots: readonly Shot[];
}

export interface Struck {
  /** Requests by status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Milliseconds of the responses of each status, ascending. */
  readonly times: ReadonlyMap<number, readonly number[]>;
  readonly seconds: number;
  /** Responses of status 200 a second. */
  readonly perSecond: number;
  /** Broken connections and timeouts. */
  readonly errors: number;
  readonly faults: Readonly<Record<string, number>>;
}

export const HEADERS: Readonly<Record<string, string>> = {
  Authorization: `Bearer ${TOKEN}`,
  'Content-Type': 'application/json',
};
const TIMEOUT_SECONDS = 60;

/** Returns the value below which a share of the ascending values lies; NaN of none. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;

/** Groups of connections that begin one after another. */
const GROUPS = 20;

export async function strike({ rampMs, ...barrage }: Barrage): Promise<Struck> {
  const { connections, amount, rate } = barrage;
  if (rampMs === undefined || connections < GROUPS) return volley(barrage);
  const part = defined({
    connections: connections / GROUPS,
    amount: amount === undefined ? undefined : amount / GROUPS,
    rate: rate === undefined ? undefined : rate / GROUPS,
  });
  const groups = Array.from({ length: GROUPS }, async (_, at) => {
    await wait((at / GROUPS) * rampMs);
    return volley({ ...barrage, ...part });
  });
  return together(await Promise.all(groups), rampMs / 1000);
}

/** Sums up groups that began over some seconds. */
function together(groups: readonly Struck[], ramp: number): Struck {
  const times = new Map<number, number[]>();
  const faults: Record<string, number> = {};
  for (const group of groups) {
    for (const [status, list] of group.times)
      times.set(status, [...(times.get(status) ?? []), ...list]);
    for (const [fault, count] of Object.entries(group.faults))
      faults[fault] = (faults[fault] ?? 0) + count;
  }
  for (const list of times.values()) list.sort((a, b) => a - b);
  const seconds = Math.max(...groups.map(group => group.seconds)) + ramp;
  const statuses = Object.fromEntries([...times].map(([key, list]) => [key, list.length]));
  const errors = groups.reduce((sum, group) => sum + group.errors, 0);
  return { statuses, times, seconds, perSecond: (statuses[200] ?? 0) / seconds, errors, faults };
}

async function volley(barrage: Barrage): Promise<Struck> {
  // In a package of its own: `npm ci --prefix bench/server-load`.
  const { default: autocannon } = await import('autocannon');
  const { url, connections, seconds, amount, rate, shots } = barrage;
  const times = new Map<number, number[]>();
  const faults: Record<string, number> = {};
  const started = performance.now();
  let last = started;
  return new Promise((resolve, reject) => {
    const cannon = autocannon(
      defined({
        url,
        connections,
        timeout: TIMEOUT_SECONDS,
        duration: amount === undefined ? seconds! : undefined,
        amount,
        overallRate: rate && Math.ceil(rate),
        ignoreCoordinatedOmission: rate === undefined ? undefined : true,
        requests: shots.map(shot => requestOf(shot, faults)),
      }),
      (error, result) => {
        if (error) return reject(error);
        for (const list of times.values()) list.sort((a, b) => a - b);
        const taken = (last - started) / 1000;
        const statuses = Object.fromEntries([...times].map(([key, list]) => [key, list.length]));
        const perSecond = (statuses[200] ?? 0) / taken;
        resolve({ statuses, times, seconds: taken, perSecond, errors: result.errors, faults });
      },
    );
    cannon.on('response', (_, status, __, ms) => {
      const list = times.get(status);
      if (list) list.push(ms);
      else times.set(status, [ms]);
      last = performance.now();
    });
  });
}

function requestOf({ path, body, check }: Shot, faults: Record<string, number>): CannonRequest {
  const onResponse = (status: number, text: string): void => {
    const fault = status === 200 ? check?.(text) : undefined;
    if (fault !== undefined) faults[fault] = (faults[fault] ?? 0) + 1;
  };
  if (!body) return { method: 'GET', path, headers: HEADERS, onResponse };
  return {
    method: 'POST',
    path,
    headers: HEADERS,
    onResponse,
    body: JSON.stringify(body()),
    setupRequest: request => ({ ...request, body: JSON.stringify(body()) }),
  };
}
