/** CPU time, interleaved runs and their medians. */
import { cpus } from 'node:os';

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
}

export interface Setting {
  readonly data: string;
  readonly runs: number;
  readonly say: (line: string) => void;
}
export type Task = (setting: Setting) => Promise<Result[]>;

export const machine = (): string =>
  `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} CPUs, Node ${process.versions.node}, ${process.platform} ${process.arch}`;

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

export interface Contender {
  readonly name: string;
  /** One run; returns its value. */
  readonly run: () => Promise<number>;
}

/** Every contender once a round, in turn, so that what disturbs the machine disturbs all; the medians by name. */
export async function interleave(contenders: readonly Contender[], rounds: number): Promise<Map<string, number>> {
  const values = new Map(contenders.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, run } of contenders) {
      globalThis.gc?.();
      values.get(name)!.push(await run());
    }
  }
  return new Map([...values].map(([name, list]) => [name, median(list)]));
}
