/** Asks questions, a number of them at any moment, and sums up what each took. */

import type { Trace } from '../../src/core/trace/trace.ts';
import type { Engine } from '../../src/search/engine.ts';
import { ask } from '../../src/session/verbs.ts';

/** One way to ask. */
export interface Way {
  readonly name: string;
  readonly strategy: string;
  readonly retriever: string;
  readonly context: string;
}

export const WAYS: readonly Way[] = [
  {
    name: 'one search of passages',
    strategy: 'fixed-top-k(k=10)',
    retriever: 'lexical',
    context: 'whole',
  },
  {
    name: 'fact-lanes',
    strategy: 'fact-lanes(tokens=510)',
    retriever: 'lexical(unit=sentence)',
    context: 'sentences(perDocument=5)',
  },
];

export interface Asked {
  readonly way: string;
  readonly questions: number;
  readonly inFlight: number;
  /** Milliseconds of a question from its start to its trace. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly perSecond: number;
  /** Requests to the server; 0 in an embedded engine. */
  readonly roundTrips: number;
  readonly hops: number;
  /** Runs by what ended them, of those that a failure or a limit ended. */
  readonly failures: Readonly<Record<string, number>>;
  /** CPU milliseconds of this process a question. */
  readonly cpu: number;
  /** CPU milliseconds of the servers a question; 0 without one. */
  readonly serverCpu: number;
}

/** Returns CPU milliseconds of the servers so far. */
export type ServerCpu = () => Promise<number>;

const noServer: ServerCpu = async () => 0;

type Searched = Engine & { readonly roundTrips?: number };

const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!;

function failureOf({ stopped, evidence }: Trace): string | undefined {
  if (!stopped) return evidence.length === 0 ? 'nothing found' : undefined;
  return stopped.by === 'failure' ? stopped.code : JSON.stringify(stopped);
}

export async function askAll(
  engine: Searched,
  way: Way,
  questions: readonly string[],
  inFlight: number,
  serverCpu: ServerCpu = noServer,
): Promise<Asked> {
  const times: number[] = [];
  const failures: Record<string, number> = {};
  let hops = 0;
  const waiting = questions.values();
  const { name, strategy, retriever, context } = way;
  const members = { engine, strategy, retriever, context, reader: 'evidence-only' };
  const asker = async (): Promise<void> => {
    for (const question of waiting) {
      const started = performance.now();
      const trace = await ask(question, members);
      times.push(performance.now() - started);
      hops += trace.hops.length;
      const failure = failureOf(trace);
      if (failure) failures[failure] = (failures[failure] ?? 0) + 1;
    }
  };
  const before = await serverCpu();
  const [trips, cpu, started] = [engine.roundTrips ?? 0, process.cpuUsage(), performance.now()];
  await Promise.all(Array.from({ length: inFlight }, asker));
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const sorted = times.toSorted((a, b) => a - b);
  const count = questions.length;
  return {
    way: name,
    questions: count,
    inFlight,
    failures,
    hops: hops / count,
    p50: share(sorted, 0.5),
    p95: share(sorted, 0.95),
    p99: share(sorted, 0.99),
    perSecond: count / seconds,
    roundTrips: ((engine.roundTrips ?? 0) - trips) / count,
    cpu: (user + system) / 1000 / count,
    serverCpu: ((await serverCpu()) - before) / count,
  };
}
