/** L3, L4 and L6: whole runs of three hops with a model, by clients that can wait and too many. */

import type { Result } from '../measure.ts';
import {
  askShot,
  checkStruck,
  type Goal,
  good,
  MODEL_CALLS,
  noteOf,
  phase,
  readShot,
  warmServer,
} from './bed.ts';
import { percentile, type Shot, type Struck, strike } from './cannon.ts';
import { atLeast, atMost, type Bounds } from './goals.ts';

/** Milliseconds of one call of the slow model. */
const LATENCY_MS = 500;
/** Asks of each client beside it. */
const ROUNDS = 20;
const HOP_ROUNDS = 2;
/** Clients that begin at one moment would ask in step for ever. */
const RAMP_MS = 1_000;
/** Asks of each client before it: clients that wait for the server compile other code than few. */
const WARM_ROUNDS = 10;
/** Requests beside those that the server admits, so that the offered load is held. */
const OVERLOAD = 10;
const OVERLOAD_CLIENTS = 400;

export const askGoals: Goal = async bed => {
  const { sizes, say } = bed;
  await using serving = await warmServer(bed);
  const { clients: connections, seconds } = sizes;
  say(`L3: asks of ${connections} clients`);
  const { done, sample } = await phase(serving, () =>
    strike({ url: serving.url, connections, seconds, shots: [askShot(bed)] }),
  );
  checkStruck('L3', done);
  const times = good(done);
  const asks = { n: times.length, note: noteOf(done) };
  return {
    results: [
      atLeast({
        what: 'L3: asks of three hops',
        ...asks,
        unit: 'a second',
        value: done.perSecond,
        floor: 7,
        aim: 30,
      }),
      atMost({
        what: 'L3: asks of three hops, p99',
        ...asks,
        unit: 'ms',
        value: percentile(times, 0.99),
        floor: 3_000,
        aim: 800,
      }),
    ],
    delays: { L3: sample.delayP99 },
  };
};

/**
 * All clients ask at once and again: at the floor that is 200 asks a second, more than the floors
 * of L2 and L3 ask of whole retrievals. The search is one by words; three hops are shown beside it.
 */
export const slowModelGoals: Goal = async bed => {
  const { sizes, model, say } = bed;
  const { waiting: connections } = sizes;
  const rounds = (count: number): number =>
    connections * Math.max(1, Math.round(count * sizes.share));
  await using serving = await warmServer(bed, { concurrent: connections, queue: connections });
  const asked = async (what: string, shot: Shot, amount: number, warm: number): Promise<Waited> => {
    // Runs that this server has not done before compile their code.
    await model.set();
    await strike({ url: serving.url, connections: 4, amount: sizes.warm, shots: [shot] });
    await model.set({ latencyMs: LATENCY_MS });
    const ramped = { url: serving.url, connections, rampMs: RAMP_MS, shots: [shot] };
    if (warm > 0) await strike({ ...ramped, amount: warm });
    say(`L4: ${what} of ${connections} clients, ${LATENCY_MS} ms a call of the model`);
    return phase(serving, () => strike({ ...ramped, amount }));
  };
  const one = await asked('asks of one search', readShot(bed), rounds(ROUNDS), rounds(WARM_ROUNDS));
  const three = await asked('asks of three hops', askShot(bed), rounds(HOP_ROUNDS), 0);
  for (const { done } of [one, three]) checkStruck('L4', done);
  return {
    results: [
      addedOf('one search by words and its model', one, 1, { floor: 500, aim: 100 }),
      addedOf('three hops of hybrid and their model', three, MODEL_CALLS, {}),
    ],
    delays: { L4: one.sample.delayP99, 'L4 hops': three.sample.delayP99 },
  };
};

type Waited = Awaited<ReturnType<typeof phase<Struck>>>;

function addedOf(what: string, { done }: Waited, calls: number, bounds: Bounds): Result {
  const added = good(done).map(ms => ms - calls * LATENCY_MS);
  return atMost({
    what: `L4: time that asks take beyond ${what}, p99`,
    n: added.length,
    unit: 'ms',
    value: percentile(added, 0.99),
    ...bounds,
    note: `p50 ${percentile(added, 0.5).toFixed(0)} ms; ${done.perSecond.toFixed(1)} asks a second`,
  });
}

export const overloadGoals: Goal = async bed => {
  const { sizes, say } = bed;
  await using serving = await warmServer(bed);
  const { url } = serving;
  const { clients, seconds } = sizes;
  const shots = [askShot(bed)];
  say('L6: the most that the server does');
  const peak = await strike({ url, connections: clients, seconds, shots });
  checkStruck('L6', peak);
  const rate = Math.max(OVERLOAD_CLIENTS, OVERLOAD * peak.perSecond);
  say(`L6: ${rate.toFixed(0)} asks a second offered`);
  const { done, sample } = await phase(serving, () =>
    strike({ url, connections: OVERLOAD_CLIENTS, seconds, rate, rampMs: RAMP_MS, shots }),
  );
  checkStruck('L6', done, true);
  const refused = done.times.get(503) ?? [];
  return {
    results: [
      atLeast({
        what: `L6: asks done under ${OVERLOAD} times the load, as a share of the most`,
        n: good(done).length,
        unit: 'share',
        value: done.perSecond / peak.perSecond,
        floor: 0.7,
        aim: 0.9,
        note: `${done.perSecond.toFixed(1)} and ${peak.perSecond.toFixed(1)} a second; ${noteOf(done)}`,
      }),
      atMost({
        what: 'L6: refusals, p99',
        n: refused.length,
        unit: 'ms',
        value: percentile(refused, 0.99),
        floor: 500,
        aim: 100,
      }),
    ],
    delays: { L6: sample.delayP99 },
  };
};
