/**
 * CPU time of a whole `ask` over a small store, as questions of repeated fragments grow to the
 * greatest length: fragments over which a careless expression takes quadratic time.
 */
import { questionReaders, type Reader } from './growth-readers.ts';
import { cpuTime, machine, type Result, type Task } from './measure.ts';

const ROUNDS = 3;

async function leastTime(run: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await cpuTime(run));
  return Math.min(...times);
}

interface Growth {
  readonly what: string;
  readonly half: number;
  readonly full: number;
}

async function growths({ inputs, read, longest }: Reader & { longest: number }): Promise<Growth[]> {
  const found: Growth[] = [];
  for (const { name: what, text } of inputs) {
    const [half, full] = [text(longest / 2), text(longest)];
    await read(half);
    found.push({
      what,
      half: await leastTime(() => read(half)),
      full: await leastTime(() => read(full)),
    });
  }
  return found;
}

/** Times below this are start-up: their ratio says nothing. */
const LEAST_MS = 5;

export const questionLength: Task = async ({ say }) => {
  const results: Result[] = [];
  for (const reader of await questionReaders()) {
    const all = await growths(reader);
    const slowest = all.reduce((a, b) => (b.full > a.full ? b : a));
    const grown = all
      .filter(({ full }) => full >= LEAST_MS)
      .sort((a, b) => b.full / b.half - a.full / a.half)[0];
    say(`question-length: ${reader.name}, slowest ${slowest.what} ${slowest.full.toFixed(0)} ms`);
    results.push({
      task: `question-length: ${reader.name}, the slowest of ${all.length} texts`,
      n: reader.longest,
      unit: 'CPU ms',
      ours: slowest.full,
      peers: [],
      note: grown
        ? `${slowest.what}; twice the length takes at most ${(grown.full / grown.half).toFixed(2)} times as long (${grown.what})`
        : slowest.what,
      machine: machine(),
    });
  }
  return results;
};
