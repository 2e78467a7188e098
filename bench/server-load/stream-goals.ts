/** L5 and L11: many event streams at once, and runs whose clients go away. */
import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { defined } from '../../src/core/defined.ts';
import type { Result } from '../measure.ts';
import { asking, type Bed, type Goal, ONE_SEARCH, phase, readShot, warmServer } from './bed.ts';
import { percentile, strike } from './cannon.ts';
import { Serving } from './children.ts';
import { readStream, type StreamEnd } from './event-reader.ts';
import { atLeast, atMost } from './goals.ts';
import type { Reported } from './model-behaviour.ts';
import type { Sample } from './probe.ts';
import type { Sizes } from './sizes.ts';

/** Events a second of one stream: pieces of an answer while the model writes it. */
const EVENTS_A_SECOND = 10;
const LATE_MS = 1_000;
/** Milliseconds in which clients begin, so that their first searches are not all at once. */
const RAMP_MS = 20_000;
/** Asks before the streams, in those before other goals. */
const WARM_TIMES = 10;
/** One of so many streams reads a model behind HTTP. */
const SHARE_OF_CLIENTS = 10;

interface Streamed {
  readonly ends: readonly StreamEnd[];
  /** Pieces that came while all streams went, and the seconds of that. */
  readonly pieces: number;
  readonly seconds: number;
  readonly late: number;
  readonly latest: number;
}

export const streamGoals: Goal = async bed => {
  const { sizes, say, model } = bed;
  const count = sizes.streams;
  const paced = { pieces: piecesOf(sizes), everyMs: 1000 / EVENTS_A_SECOND };
  say(`L5: ${count} streams of ${EVENTS_A_SECOND} events a second`);
  const own = await streamsOf(bed, count, async () => {
    const serving = await Serving.streaming(bed.store, { ...paced, count }, bed.node);
    const shots = [readShot(bed, ' (warm-up)')];
    // The young generation of the heap grows with the first load, whatever it is.
    const amount = WARM_TIMES * sizes.warm;
    await strike({ url: serving.url, connections: sizes.clients, amount, shots });
    return serving;
  });
  // The client of a model costs several times what a stream does.
  const few = Math.max(10, count / SHARE_OF_CLIENTS);
  say(`L5: ${few} streams of a model behind HTTP`);
  const behind = await streamsOf(bed, few, async () => {
    const serving = await warmServer(bed, { concurrent: count, queue: count });
    await model.set(paced);
    return serving;
  });
  return {
    results: [...rows('', own, BOUNDS), ...rows(' of a model behind HTTP', behind, {})],
    delays: { L5: own.sample.delayP99, 'L5 model': behind.sample.delayP99 },
  };
};

const BOUNDS = {
  share: 0.95,
  late: { aim: 0 },
  memory: { floor: 64, aim: 32 },
  lost: { floor: 0, aim: 0 },
};

interface Streams extends Streamed {
  readonly count: number;
  readonly sample: Sample;
  /** Bytes that the streams took at their height. */
  readonly memory: number;
  /** Bytes of the heap that a collection left of them then. */
  readonly live: number;
}

/** Runs streams on a server of their own, once it is warm. */
async function streamsOf(bed: Bed, count: number, start: () => Promise<Serving>): Promise<Streams> {
  await using serving = await start();
  const before = await serving.sample(true);
  let [rss, heap] = [0, 0];
  const { done, sample } = await phase(serving, () =>
    stream(bed, { serving, count }, async () => {
      rss = (await serving.sample()).rss;
      heap = (await serving.sample(true)).heapUsed;
    }),
  );
  return { ...done, count, sample, memory: rss - before.rss, live: heap - before.heapUsed };
}

/** `bounds`: empty for figures that have no goal. */
function rows(of: string, done: Streams, bounds: Partial<typeof BOUNDS>): Result[] {
  const { count, pieces, seconds, late, latest, sample } = done;
  const faults = done.ends.flatMap(({ fault }) => fault ?? []);
  const perSecond = count * EVENTS_A_SECOND;
  return [
    atLeast(
      defined({
        what: `L5: events of ${count} streams${of}`,
        n: pieces,
        unit: 'a second',
        value: pieces / seconds,
        floor: bounds.share === undefined ? undefined : bounds.share * perSecond,
        note: `${perSecond} are sent; CPU of the server ${(sample.cpu / 1000).toFixed(0)} s since its start`,
      }),
    ),
    atMost({
      what: `L5: events${of} that came more than a second late`,
      n: pieces,
      unit: 'events',
      value: late,
      ...bounds.late,
      note: `the latest ${latest} ms after its time`,
    }),
    atMost({
      what: `L5: memory that the streams${of} take`,
      n: count,
      unit: 'MiB',
      value: done.memory / 2 ** 20,
      ...bounds.memory,
      note: `${(done.live / 2 ** 20).toFixed(1)} MiB of the heap are left after a collection`,
    }),
    atMost(
      defined({
        what: `L5: streams${of} that lost an event`,
        n: count,
        unit: 'streams',
        value: faults.length,
        ...bounds.lost,
        note: faults[0],
      }),
    ),
  ];
}

const rampOf = (sizes: Sizes): number => Math.min(RAMP_MS, 20 * sizes.streams);
const piecesOf = (sizes: Sizes): number =>
  Math.ceil(((rampOf(sizes) + sizes.seconds * 1000) * EVENTS_A_SECOND) / 1000);

/** Runs all streams; `atHeight` is awaited while all of them go. */
async function stream(
  bed: Bed,
  { serving, count }: { readonly serving: Serving; readonly count: number },
  atHeight: () => Promise<void>,
): Promise<Streamed> {
  const { sizes, questions } = bed;
  const rampMs = rampOf(sizes);
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  let [counts, pieces, late, latest] = [false, 0, 0, 0];
  const onEvent = ({ event, data }: { readonly event: string; readonly data: string }): void => {
    if (event !== 'text' || !counts) return;
    pieces++;
    // The sentence at the beginning has no time.
    const delay = Date.now() - Number(/\d{13}/.exec(data)?.[0] ?? Date.now());
    latest = Math.max(latest, delay);
    if (delay > LATE_MS) late++;
  };
  const ends = Array.from({ length: count }, async (_, at) => {
    await wait((at / count) * rampMs);
    return readStream({
      url: serving.url,
      agent,
      onEvent,
      body: { question: questions(), ...ONE_SEARCH },
    });
  });
  // The first pieces of the last streams come a little later.
  await wait(rampMs + 0.1 * sizes.seconds * 1000);
  counts = true;
  const started = performance.now();
  await wait(0.4 * sizes.seconds * 1000);
  await atHeight();
  await wait(0.4 * sizes.seconds * 1000);
  counts = false;
  const seconds = (performance.now() - started) / 1000;
  return { ends: await Promise.all(ends), pieces, seconds, late, latest };
}

export const cancelGoals: Goal = async bed => {
  const { sizes, say } = bed;
  await using serving = await warmServer(bed);
  say(`L11: ${sizes.cancels} runs whose clients go away`);
  const { done: times, sample } = await phase(serving, () => cancelAll(bed, serving));
  return {
    results: [
      atMost({
        what: 'L11: from the end of a connection to the end of the call of the model, p99',
        n: times.length,
        unit: 'ms',
        value: percentile(times, 0.99),
        floor: 500,
        aim: 100,
        note: `p50 ${percentile(times, 0.5).toFixed(1)} ms`,
      }),
      atMost({
        what: 'L11: runs whose call of the model was not ended',
        n: sizes.cancels,
        unit: 'runs',
        value: sizes.cancels - times.length,
        floor: 0,
      }),
    ],
    delays: { L11: sample.delayP99 },
  };
};

/** Milliseconds until a call that is never closed counts as lost. */
const LOST_MS = 10_000;

/** Cuts runs off while the model is asked; returns the milliseconds of each, ascending. */
async function cancelAll(bed: Bed, serving: Serving): Promise<number[]> {
  const { sizes, model } = bed;
  await model.set({ holds: true });
  const waiting = new Map<string, (report: Reported) => void>();
  const stop = model.watch(report => {
    if ('question' in report) waiting.get(report.question)?.(report);
  });
  const agent = new Agent({ keepAlive: false });
  const times: number[] = [];
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < sizes.cancels) {
      const ms = await cancelOne(bed, serving, { agent, number: next++, waiting });
      if (ms !== undefined) times.push(ms);
    }
  };
  await Promise.all(Array.from({ length: sizes.clients }, client));
  stop();
  return times.sort((a, b) => a - b);
}

interface Cancel {
  readonly agent: Agent;
  readonly number: number;
  readonly waiting: Map<string, (report: Reported) => void>;
}

async function cancelOne(
  bed: Bed,
  { url }: Serving,
  { agent, number, waiting }: Cancel,
): Promise<number | undefined> {
  const abort = new AbortController();
  const question = `${bed.questions()} (cancelled-run-${number})`;
  const reports = { held: Promise.withResolvers<void>(), closed: Promise.withResolvers<void>() };
  waiting.set(String(number), ({ type }) => {
    if (type === 'held' || type === 'closed') reports[type].resolve();
  });
  const streamed = readStream({
    url,
    agent,
    signal: abort.signal,
    body: { ...asking(bed), question },
  });
  await reports.held.promise;
  const started = performance.now();
  abort.abort();
  const ended = await Promise.race([
    reports.closed.promise.then(() => performance.now() - started),
    wait(LOST_MS, undefined),
  ]);
  await streamed;
  waiting.delete(String(number));
  return ended;
}
