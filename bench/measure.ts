/** CPU time, interleaved runs and their medians. */
import { cpus, loadavg } from 'node:os';

export interface Peer {
  readonly name: string;
  readonly version: string;
  /** In the unit of the result; null when the peer could not be installed or run. */
  readonly value: number | null;
  /** Above 1 where ours is better. */
  readonly ratio: number | null;
  readonly agreement?: number;
  readonly note?: string;
}

export interface Result {
  readonly task: string;
  readonly n: number;
  readonly unit: string;
  readonly ours: number;
  readonly peers: readonly Peer[];
  readonly agreement?: number;
  readonly note?: string;
  readonly machine: string;
  /** The commit that was measured, with `+` after it if files differ from it; empty without git. */
  readonly commit?: string;
  /** The day of the measurement, as 2026-11-28. */
  readonly date?: string;
}

export interface Setting {
  readonly data: string;
  readonly runs: number;
  readonly say: (line: string) => void;
  /** For benchmarks of real embeddings: the model, and the folder of its cached vectors. */
  readonly embedder?: string | undefined;
  readonly cache?: string | undefined;
  /** A part of the full figures of the load tests of the server, and the goals to measure. */
  readonly share?: number;
  readonly goals?: string | undefined;
  /** Length of the soak, and its clients. */
  readonly minutes?: number;
  readonly clients?: number;
}
export type Task = (setting: Setting) => Promise<Result[]>;

/**
 * With the load of the last minute, our own included: above the number of CPUs, wall times say
 * little.
 */
export const machine = (): string =>
  `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} CPUs, load ${loadavg()[0]!.toFixed(1)}, Node ${process.versions.node}, ${process.platform} ${process.arch}`;

/** CPU milliseconds (user and system, all threads of this process) that the work took. */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Times of a query. */
export interface Spent {
  readonly wall: number;
  readonly cpu: number;
}

/**
 * A run repeats its work until it has taken this much CPU, so that the clock's grain does not
 * matter.
 */
const LEAST_CPU_MS = 300;
/** Before it counts: while others run, V8 throws away the code of functions that are not called. */
const WARM_CPU_MS = 200;

/** Wall and CPU milliseconds per query of work that answers so many at a time. */
export async function perQuery(queries: number, answer: () => unknown): Promise<Spent> {
  await repeat(answer, WARM_CPU_MS);
  const { rounds, wall, cpu } = await repeat(answer, LEAST_CPU_MS);
  return { wall: wall / (rounds * queries), cpu: cpu / (rounds * queries) };
}

async function repeat(
  answer: () => unknown,
  leastCpu: number,
): Promise<Spent & { readonly rounds: number }> {
  const started = performance.now();
  const before = process.cpuUsage();
  for (let rounds = 1; ; rounds++) {
    const answered = answer();
    // A synchronous answer is not awaited: nothing else of the process may run in between.
    if (answered instanceof Promise) await answered;
    const { user, system } = process.cpuUsage(before);
    const cpu = (user + system) / 1000;
    if (cpu >= leastCpu) return { rounds, wall: performance.now() - started, cpu };
  }
}

export interface Way {
  readonly name: string;
  /** Answers all queries: the items of each. */
  readonly answer: () => number[][] | Promise<number[][]>;
}

/**
 * Every way once a round, in turn, after one round that does not count; the medians, each of its
 * own, by name.
 */
export async function compareWays(
  ways: readonly Way[],
  queries: number,
  rounds: number,
): Promise<Map<string, Spent>> {
  const walls = new Map<string, number[]>(ways.map(({ name }) => [name, []]));
  const contenders = ways.map(({ name, answer }) => ({
    name,
    run: async () => {
      const { wall, cpu } = await perQuery(queries, answer);
      walls.get(name)!.push(wall);
      return cpu;
    },
  }));
  for (const { run } of contenders) await run();
  for (const list of walls.values()) list.length = 0;
  const cpus = await interleave(contenders, rounds);
  return new Map(
    ways.map(({ name }) => [name, { wall: median(walls.get(name)!), cpu: cpus.get(name)! }]),
  );
}

export interface Contender {
  readonly name: string;
  /** One run; returns its value. */
  readonly run: () => Promise<number>;
}

/**
 * Every contender once a round, in turn, so that what disturbs the machine disturbs all; the
 * medians by name.
 */
export async function interleave(
  contenders: readonly Contender[],
  rounds: number,
): Promise<Map<string, number>> {
  const values = new Map(contenders.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, run } of contenders) {
      globalThis.gc?.();
      values.get(name)!.push(await run());
    }
  }
  return new Map([...values].map(([name, list]) => [name, median(list)]));
}

/** Thrown for a wrong option: the command prints its message and how it is used. */
export class WrongOption extends Error {}
