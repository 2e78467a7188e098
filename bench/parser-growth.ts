/**
 * The time of reading texts of one repeated piece, and its growth as the text doubles: 2 for a
 * reader that is linear in its input. `test/growth.test.ts` counts the work of the same.
 */
import {
  cassetteReaders,
  fileReaders,
  filterReaders,
  manifestReaders,
  proseReaders,
  type Reader,
  replyReaders,
} from './growth-readers.ts';
import { cpuTime, machine, median, type Result, type Task } from './measure.ts';

/** Characters of a text. */
const SIZES = [20_000, 40_000, 80_000];

async function timesOf(
  { read }: Reader,
  text: (length: number) => string,
  runs: number,
): Promise<number[]> {
  const times: number[] = [];
  for (const size of SIZES) {
    const made = text(size);
    const all: number[] = [];
    for (let run = 0; run < Math.min(3, runs); run++) all.push(await cpuTime(() => read(made)));
    times.push(median(all));
  }
  return times;
}

export const parserGrowth: Task = async ({ runs, say }) => {
  const results: Result[] = [];
  const all = [
    fileReaders(),
    proseReaders(),
    replyReaders(),
    filterReaders(),
    cassetteReaders(),
    manifestReaders(),
  ];
  for (const reader of (await Promise.all(all)).flat()) {
    say(`growth: ${reader.inputs.length} inputs of ${reader.name}`);
    const measured: { readonly name: string; readonly times: readonly number[] }[] = [];
    for (const { name, text } of reader.inputs)
      measured.push({ name, times: await timesOf(reader, text, runs) });
    const slowest = measured.reduce((a, b) => (b.times.at(-1)! > a.times.at(-1)! ? b : a));
    const [, middle, last] = slowest.times as [number, number, number];
    const each = slowest.times.map(ms => ms.toFixed(0)).join(', ');
    results.push({
      task: `growth: ${reader.name}, of one repeated piece`,
      n: SIZES.at(-1)!,
      unit: 'times as long for twice the size, the slowest input',
      ours: last / middle,
      note: `${slowest.name}: CPU ms ${each} for ${SIZES.join(', ')} characters`,
      peers: [],
      machine: machine(),
    });
  }
  return results;
};
