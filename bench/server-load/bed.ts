/** The ground of every goal: a store, questions, the model and the server. */
import type { Result } from '../measure.ts';
import { percentile, type Shot, type Struck, strike } from './cannon.ts';
import { type MockModel, type ServeOptions, Serving } from './children.ts';
import type { Sample } from './probe.ts';
import type { Sizes } from './sizes.ts';

/** Searches thrice; the model is called after the first two and for the answer. */
export const HOPS = 3;
export const MODEL_CALLS = 3;
const STRATEGY = `iter-retgen(iterations=${HOPS}, answer=reader)`;
const RETRIEVER = 'hybrid';
/** One search by words, whose passages the model reads. */
export const ONE_SEARCH: object = {
  strategy: 'fixed-top-k(k=3)',
  retriever: 'lexical',
  reader: 'generative',
};

export interface Bed {
  readonly store: string;
  readonly model: MockModel;
  readonly sizes: Sizes;
  readonly questions: () => string;
  readonly say: (line: string) => void;
  /** Options of Node for the server, such as `--cpu-prof`. */
  readonly node: readonly string[];
}

/** Measures goals, and notes each one's delay of the server's event loop. */
export type Goal = (bed: Bed) => Promise<Measured>;

export interface Measured {
  readonly results: readonly Result[];
  /** 99th percentile in milliseconds of each phase by its name. */
  readonly delays: Readonly<Record<string, number>>;
}

export const asking = (bed: Bed): object => ({
  question: bed.questions(),
  strategy: STRATEGY,
  retriever: RETRIEVER,
});

export const askShot = (bed: Bed): Shot => ({
  path: '/v1/ask',
  body: () => asking(bed),
  check: body => faultOfRecord(body),
});

/** An ask that searches once. */
export const reading = (bed: Bed, about = ''): object => ({
  question: `${bed.questions()}${about}`,
  ...ONE_SEARCH,
});

export const readShot = (bed: Bed, about = ''): Shot => ({
  path: '/v1/ask',
  body: () => reading(bed, about),
  check: body => faultOfRecord(body, { hops: 1, modelCalls: 1 }),
});

export const searchShot = (bed: Bed): Shot => ({
  path: '/v1/search',
  body: () => ({ query: bed.questions(), retriever: RETRIEVER }),
  check: body => ((JSON.parse(body) as { hits: unknown[] }).hits.length > 0 ? undefined : 'no hit'),
});

interface Recorded {
  readonly hops?: readonly unknown[];
  readonly spent?: { readonly modelCalls?: number };
  readonly stopped?: unknown;
  readonly answer?: { readonly kind?: string };
}

interface Expected {
  readonly hops: number;
  readonly modelCalls: number;
}

/** Names what is wrong with the record of an ask that should have taken so many hops. */
export function faultOfRecord(
  body: string,
  { hops: expected, modelCalls }: Expected = { hops: HOPS, modelCalls: MODEL_CALLS },
): string | undefined {
  const { hops = [], spent, stopped, answer } = JSON.parse(body) as Recorded;
  if (stopped) return `stopped ${JSON.stringify(stopped)}`;
  if (hops.length !== expected) return `${hops.length} hops`;
  if (spent?.modelCalls !== modelCalls) return `${spent?.modelCalls} calls of the model`;
  return answer?.kind === 'answered' ? undefined : `the answer is ${answer?.kind}`;
}

/** Starts a server and lets it read its store and compile its code. */
export async function warmServer(bed: Bed, options: Partial<ServeOptions> = {}): Promise<Serving> {
  const { store, model, node, sizes } = bed;
  await model.set();
  const serving = await Serving.start({ store, modelUrl: model.url, node, ...options });
  const shots = [searchShot(bed), askShot(bed)];
  await strike({ url: serving.url, connections: 4, amount: 2 * sizes.warm, shots });
  await serving.sample();
  return serving;
}

/** Measures a phase of a load; the sample is of this phase alone. */
export async function phase<T>(
  serving: Serving,
  work: () => Promise<T>,
): Promise<{ readonly done: T; readonly sample: Sample }> {
  await serving.sample();
  const done = await work();
  return { done, sample: await serving.sample() };
}

export const good = (struck: Struck): readonly number[] => struck.times.get(200) ?? [];

/** Counts of what went wrong, for the note of a result. */
export function noteOf({ statuses, errors, faults, times }: Struck): string {
  const others = Object.entries(statuses).filter(([status]) => status !== '200');
  return [
    `p50 ${percentile(times.get(200) ?? [], 0.5).toFixed(0)} ms`,
    ...others.map(([status, count]) => `${count} of status ${status}`),
    ...(errors > 0 ? [`${errors} broken`] : []),
    ...Object.entries(faults).map(([fault, count]) => `${count} ${fault}`),
  ].join('; ');
}

/** Share of responses that may be odd, such as a question of which the store knows no word. */
const ODD = 0.02;

/** Throws if anything but refusals came back beside good responses: the figures say nothing. */
export function checkStruck(what: string, struck: Struck, refusals = false): void {
  const { statuses, errors, faults } = struck;
  const odd = Object.values(faults).reduce((sum, count) => sum + count, 0);
  const bad = Object.keys(statuses).filter(
    status => status !== '200' && !(refusals && status === '503'),
  );
  if (bad.length === 0 && errors === 0 && odd <= ODD * (statuses[200] ?? 0) + 1) return;
  throw new Error(`${what} went wrong: ${JSON.stringify({ statuses, errors, faults })}`);
}

/** Returns each of a list in turn, over and over. */
export function inTurn(list: readonly string[]): () => string {
  let at = 0;
  return () => list[at++ % list.length]!;
}
