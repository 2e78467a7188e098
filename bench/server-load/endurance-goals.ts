/** L7: many requests, then many asks of which some are cut off and some meet a failing model. */
import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import {
  asking,
  askShot,
  type Bed,
  checkStruck,
  type Goal,
  phase,
  reading,
  readShot,
  searchShot,
  warmServer,
} from './bed.ts';
import { HEADERS, type Shot, strike } from './cannon.ts';
import type { Serving } from './children.ts';
import { readStream } from './event-reader.ts';
import { atMost } from './goals.ts';
import type { Sample } from './probe.ts';

/** One of so many asks is cut off, and one of so many calls of the model fails. */
const ONE_OF = 100;
/** One of so many asks searches thrice, which takes as long as ten that search once. */
const LONG_ONE_OF = 11;
/** Milliseconds after which idle connections of both sides are closed. */
const QUIET_MS = 6_000;
/** Requests until kept traces fill their room: from then on the oldest go. */
const FILL_STEP = 200;
const MOST_FILL = 40_000;
/** Asks with every search in it, among cheaper requests. */
const CHEAP: readonly Shot[] = [
  { path: '/health' },
  { path: '/v1/documents?limit=5' },
  { path: '/v1/about' },
  { path: '/v1/traces?limit=5' },
];

export const enduranceGoals: Goal = async bed => {
  const { sizes, say, model } = bed;
  await using serving = await warmServer(bed);
  const filled = await fillShelf(bed, serving);
  const before = await quiet(serving);
  say(`L7: ${sizes.requests} requests`);
  const requests = await phase(serving, () => {
    const shots = [...CHEAP, ...CHEAP, ...CHEAP, ...CHEAP, searchShot(bed)];
    const { clients: connections, requests: amount } = sizes;
    return strike({ url: serving.url, connections, amount, shots });
  });
  checkStruck('L7', requests.done);
  say(`L7: ${sizes.asks} asks`);
  await model.set({ failEvery: ONE_OF });
  const asks = await phase(serving, () => askAndLeave(bed, serving));
  await model.set();
  const after = await quiet(serving);
  return {
    results: rows({ before, after, bed, filled, asked: asks.done }),
    delays: { 'L7 requests': requests.sample.delayP99, 'L7 asks': asks.sample.delayP99 },
  };
};

interface Compared {
  readonly before: Sample;
  readonly after: Sample;
  readonly bed: Bed;
  readonly filled: number;
  readonly asked: Asked;
}

function rows({ before, after, bed, filled, asked }: Compared): ReturnType<typeof atMost>[] {
  const n = bed.sizes.requests + bed.sizes.asks;
  const megabytes = (what: 'rss' | 'heapUsed'): string =>
    `${(before[what] / 2 ** 20).toFixed(1)} MiB before, ${(after[what] / 2 ** 20).toFixed(1)} after`;
  const open = (['descriptors', 'timers', 'listeners'] as const).map(
    what => [what, after[what] - before[what]] as const,
  );
  const more = Math.max(...open.map(([, count]) => count));
  return [
    atMost({
      what: 'L7: heap after a collection, after and before',
      n,
      unit: 'times',
      value: after.heapUsed / before.heapUsed,
      floor: 1.1,
      aim: 1.02,
      note: `${megabytes('heapUsed')}; before came ${filled} asks and searches`,
    }),
    atMost({
      what: 'L7: resident memory, after and before',
      n,
      unit: 'times',
      value: after.rss / before.rss,
      floor: 1.25,
      aim: 1.1,
      note: megabytes('rss'),
    }),
    atMost({
      what: 'L7: descriptors, timers or listeners more than before',
      n,
      unit: 'more',
      value: more,
      floor: 0,
      aim: 0,
      note: open.map(([what, count]) => `${what} ${count}`).join(', '),
    }),
    atMost({
      what: 'L7: asks that lost an event or their record',
      n: bed.sizes.asks,
      unit: 'asks',
      value: asked.faults.length,
      floor: 0,
      aim: 0,
      note: [`${asked.left} left, ${asked.failed} met a failed model`, ...asked.faults]
        .slice(0, 2)
        .join('; '),
    }),
  ];
}

/** Waits until connections have closed, and collects. */
async function quiet(serving: Serving): Promise<Sample> {
  await wait(QUIET_MS);
  await serving.sample(true);
  return serving.sample(true);
}

/**
 * Sends every kind of request until the first trace is no longer kept, so that caches of what was
 * found and read are as full as they get; a small test stops early. Returns the requests.
 */
async function fillShelf(bed: Bed, serving: Serving): Promise<number> {
  const { sizes, say, model } = bed;
  await model.set();
  const agent = new Agent();
  const first = await readStream({ url: serving.url, agent, body: asking(bed) });
  agent.destroy();
  const most = Math.min(MOST_FILL, sizes.asks);
  let asked = 1;
  while (asked < most && (await isKept(serving, first.traceId!))) {
    const amount = Math.min(FILL_STEP, most);
    const connections = sizes.clients;
    const [read, search] = [readShot(bed), searchShot(bed)];
    const shots = [
      askShot(bed),
      ...Array<Shot[]>(LONG_ONE_OF - 1)
        .fill([read, search])
        .flat(),
    ];
    checkStruck('L7', await strike({ url: serving.url, connections, amount, shots }));
    asked += amount;
    say(`L7: ${asked} asks and searches, until kept traces fill their room`);
  }
  return asked;
}

async function isKept({ url }: Serving, id: string): Promise<boolean> {
  const response = await fetch(`${url}/v1/traces/${id}`, { headers: HEADERS });
  await response.arrayBuffer();
  return response.status === 200;
}

interface Asked {
  readonly left: number;
  readonly failed: number;
  readonly faults: readonly string[];
}

/** Asks with event streams; one of `ONE_OF` goes away in the middle. */
async function askAndLeave(bed: Bed, { url }: Serving): Promise<Asked> {
  const { sizes } = bed;
  const agent = new Agent({ keepAlive: true });
  const faults: string[] = [];
  let [next, left, failed] = [0, 0, 0];
  const client = async (): Promise<void> => {
    while (next < sizes.asks) {
      const leaves = ++next % ONE_OF === 0;
      const body = next % LONG_ONE_OF === 0 ? asking(bed) : reading(bed);
      const abort = new AbortController();
      let events = 0;
      const { fault } = await readStream({
        url,
        agent,
        signal: abort.signal,
        body,
        onEvent: ({ event, data }) => {
          if (leaves && ++events === 2) abort.abort();
          if (event === 'end' && data.includes('"by":"failure"')) failed++;
        },
      });
      if (leaves) left++;
      else if (fault !== undefined) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: sizes.clients }, client));
  agent.destroy();
  return { left, failed, faults };
}
