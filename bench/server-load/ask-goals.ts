/** L3, L4 and L6: whole runs of three hops with a model, by clients that can wait and too many. */
import {
  askShot,
  checkStruck,
  type Goal,
  good,
  MODEL_CALLS,
  noteOf,
  phase,
  warmServer,
} from './bed.ts';
import { percentile, strike } from './cannon.ts';
import { atLeast, atMost } from './goals.ts';

/** Milliseconds of one call of the slow model. */
const LATENCY_MS = 500;
/** Asks of each client beside it. */
const ROUNDS = 20;
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
        ...{ ...asks, unit: 'a second', value: done.perSecond, floor: 7, aim: 30 },
      }),
      atMost({
        what: 'L3: asks of three hops, p99',
        ...{ ...asks, unit: 'ms', value: percentile(times, 0.99), floor: 3_000, aim: 800 },
      }),
    ],
    delays: { L3: sample.delayP99 },
  };
};

export const slowModelGoals: Goal = async bed => {
  const { sizes, say, model } = bed;
  const { waiting: connections } = sizes;
  const amount = connections * Math.max(1, Math.round(ROUNDS * sizes.share));
  const room = { concurrent: connections, queue: connections };
  await using serving = await warmServer(bed, room);
  await model.set({ latencyMs: LATENCY_MS });
  say(`L4: asks of ${connections} clients, ${LATENCY_MS} ms a call of the model`);
  const { done, sample } = await phase(serving, () =>
    strike({ url: serving.url, connections, amount, shots: [askShot(bed)] }),
  );
  checkStruck('L4', done);
  const added = good(done).map(ms => ms - MODEL_CALLS * LATENCY_MS);
  return {
    results: [
      atMost({
        what: `L4: time that asks of ${connections} clients take beyond their model's, p99`,
        ...{ n: added.length, unit: 'ms', value: percentile(added, 0.99), floor: 500, aim: 100 },
        note: `p50 ${percentile(added, 0.5).toFixed(0)} ms; ${done.perSecond.toFixed(1)} asks a second`,
      }),
    ],
    delays: { L4: sample.delayP99 },
  };
};

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
    strike({ url, connections: OVERLOAD_CLIENTS, seconds, rate, shots }),
  );
  checkStruck('L6', done, true);
  const refused = done.times.get(503) ?? [];
  return {
    results: [
      atLeast({
        what: `L6: asks done under ${OVERLOAD} times the load, as a share of the most`,
        ...{ n: good(done).length, unit: 'share', value: done.perSecond / peak.perSecond },
        ...{ floor: 0.7, aim: 0.9 },
        note: `${done.perSecond.toFixed(1)} and ${peak.perSecond.toFixed(1)} a second; ${noteOf(done)}`,
      }),
      atMost({
        what: 'L6: refusals, p99',
        ...{ n: refused.length, unit: 'ms', value: percentile(refused, 0.99) },
        ...{ floor: 500, aim: 100 },
      }),
    ],
    delays: { L6: sample.delayP99 },
  };
};
