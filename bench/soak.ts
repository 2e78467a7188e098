/**
 * Asks `multihop serve` for an hour by 50 clients, streams and records mixed: no event may be lost,
 * and memory must not grow. Prints a sample each minute.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Result, Setting, Task } from './measure.ts';
import { type Bed, inTurn, warmServer } from './server-load/bed.ts';
import { MockModel, type Serving } from './server-load/children.ts';
import { atMost } from './server-load/goals.ts';
import type { Sample } from './server-load/probe.ts';
import { loadQuestions } from './server-load/real-documents.ts';
import { sizesOf } from './server-load/sizes.ts';
import { type Asked, noneAsked, type Soaked, soakClient } from './server-load/soak-clients.ts';
import { writtenStore } from './server-load/written-store.ts';

/** Milliseconds of a call of the model, and pieces of its streamed answer. */
const MODEL = { latencyMs: 100, pieces: 8, everyMs: 20 };
const SAMPLE_MINUTES = 1;
/** A short run takes as many samples too. */
const LEAST_SAMPLES = 6;

export const soak: Task = async setting => {
  const { data, cache, say, share = 1 } = setting;
  const folder = cache
    ? join(resolve(cache), 'server-load', String(share))
    : mkdtempSync(join(tmpdir(), 'multihop-soak-'));
  mkdirSync(folder, { recursive: true });
  try {
    const sizes = sizesOf(share);
    const store = writtenStore({ folder, data, size: sizes.passages, say });
    await using model = await MockModel.start();
    const questions = inTurn(loadQuestions(data));
    return await soaked({ store, model, sizes, questions, say, node: [] }, setting);
  } finally {
    if (!cache) rmSync(folder, { recursive: true, force: true });
  }
};

async function soaked(bed: Bed, { minutes = 60, clients = 50 }: Setting): Promise<Result[]> {
  await using serving = await warmServer(bed, { concurrent: clients, queue: clients });
  await bed.model.set(MODEL);
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const asked = noneAsked();
  let goes = true;
  const given: Soaked = { bed, url: serving.url, agent, asked, goesOn: () => goes };
  const all = Promise.all(Array.from({ length: clients }, (_, at) => soakClient(given, at)));
  const samples = await sampled(bed, serving, asked, minutes);
  goes = false;
  await all;
  agent.destroy();
  return rows(samples, asked, { minutes, clients });
}

async function sampled(
  { say }: Bed,
  serving: Serving,
  asked: Asked,
  minutes: number,
): Promise<Sample[]> {
  const every = Math.min(SAMPLE_MINUTES, minutes / LEAST_SAMPLES);
  const samples: Sample[] = [];
  for (let at = every; at <= minutes + every / 2; at += every) {
    await wait(every * 60_000);
    const sample = await serving.sample(true);
    samples.push(sample);
    const memory = `heap ${mebibytes(sample.heapUsed)}, resident ${mebibytes(sample.rss)} MiB`;
    say(
      `soak: ${at.toFixed(1)} min: ${memory}; event loop p99 ${sample.delayP99.toFixed(0)} ms; descriptors ${sample.descriptors}; ${asked.streams} streams, ${asked.records} records, ${asked.events} events; ${asked.faulty} faults`,
    );
  }
  return samples;
}

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);

/** Returns the slope of a line through equally spaced values, per step. */
export function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let [above, below] = [0, 0];
  for (const [at, value] of values.entries()) {
    above += (at - middle) * (value - mean);
    below += (at - middle) ** 2;
  }
  return below === 0 ? 0 : above / below;
}

interface Run {
  readonly minutes: number;
  readonly clients: number;
}

/** Memory is compared over the second half, once kept traces have filled their room. */
function rows(samples: readonly Sample[], asked: Asked, { minutes, clients }: Run): Result[] {
  const later = samples.slice(Math.floor(samples.length / 2));
  const n = asked.streams + asked.records;
  const growth = (what: 'heapUsed' | 'rss'): { value: number; note: string } => {
    const values = later.map(sample => sample[what] / 2 ** 20);
    const whole = slopeOf(values) * (values.length - 1);
    const hourly = (whole / (minutes / 2)) * 60;
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const range = `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)} MiB`;
    return { value: (100 * whole) / mean, note: `${range}; ${hourly.toFixed(1)} MiB an hour` };
  };
  const half = `over the second half of ${minutes} minutes`;
  return [
    atMost({
      what: `soak: asks of ${clients} clients that lost an event or their record`,
      n,
      unit: 'asks',
      value: asked.faulty,
      floor: 0,
      aim: 0,
      note: [`${asked.events} events; ${asked.compared} streams compared with their traces`]
        .concat(asked.faults.slice(0, 3))
        .join('; '),
    }),
    atMost({
      what: `soak: growth of the heap after a collection, ${half}`,
      n: later.length,
      unit: '%',
      ...growth('heapUsed'),
      floor: 10,
      aim: 2,
    }),
    atMost({
      what: `soak: growth of resident memory, ${half}`,
      n: later.length,
      unit: '%',
      ...growth('rss'),
      floor: 25,
      aim: 10,
    }),
  ];
}
