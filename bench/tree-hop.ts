/**
 * TreeHop's update and its training step.
 */

import type { TreeHopBatch } from '../lab/learning/tree-hop/batch.ts';
import { TreeHopTrainer } from '../lab/learning/tree-hop/trainer.ts';
import { mulberry32 } from '../src/core/mulberry32.ts';
import { initialParameters } from '../src/models/tree-hop/parameters.ts';
import { publishedShape } from '../src/models/tree-hop/shape.ts';
import { prepareTreeHop } from '../src/models/tree-hop/tree-hop.ts';
import {
  interleave,
  machine,
  median,
  perQuery,
  type Result,
  type Setting,
  type Task,
} from './measure.ts';

/** Updates of a step: 64 questions, of which some have two first passages. */
const UPDATES = 83;
const EPOCH_CHAINS = 2523;

/** Rows of length 1 or so. */
export const randomRows = (random: () => number, count: number, d: number): Float32Array =>
  Float32Array.from({ length: count * d }, () => (2 * random() - 1) * Math.sqrt(3 / d));

/** A batch of so many updates with five negatives each. */
export function syntheticBatch(random: () => number, updates: number, d: number): TreeHopBatch {
  const [queries, passages, positives] = [
    randomRows(random, updates, d),
    randomRows(random, updates, d),
    randomRows(random, updates, d),
  ];
  return { queries, passages, positives, negatives: randomRows(random, 5 * updates, d) };
}

/** Milliseconds of CPU that one call takes, and its wall times beside it. */
async function timed(work: () => unknown, walls?: number[]): Promise<number> {
  const { cpu, wall } = await perQuery(1, work);
  walls?.push(wall);
  return cpu;
}

async function updates(d: number, rows: number, { runs, say }: Setting): Promise<Result> {
  say(`update of ${rows} at d = ${d} ...`);
  const random = mulberry32(d + rows);
  const shape = publishedShape(d);
  const parameters = initialParameters(shape, random);
  const model = prepareTreeHop(parameters);
  const [queries, passages] = [randomRows(random, rows, d), randomRows(random, rows, d)];
  const walls: number[] = [];
  const run = (): Promise<number> => timed(() => model.update(queries, passages), walls);
  const ours = (await interleave([{ name: 'ours', run }], runs)).get('ours')!;
  return {
    task: `tree-hop: next queries at d = ${d}`,
    n: rows,
    unit: 'CPU ms',
    ours,
    peers: [],
    machine: machine(),
    note: `wall ${median(walls).toPrecision(3)} ms`,
  };
}

async function step(d: number, { runs, say }: Setting): Promise<Result> {
  say(`training step of ${UPDATES} at d = ${d} ...`);
  const random = mulberry32(d);
  const trainer = new TreeHopTrainer(initialParameters(publishedShape(d), random));
  const batch = syntheticBatch(random, UPDATES, d);
  const walls: number[] = [];
  const ours = (
    await interleave([{ name: 'ours', run: () => timed(() => trainer.learn(batch), walls) }], runs)
  ).get('ours')!;
  const epoch = (Math.ceil(EPOCH_CHAINS / 64) * ours) / 1000;
  const note = `wall ${median(walls).toPrecision(3)} ms; ${EPOCH_CHAINS.toLocaleString('en')} chains in ${epoch.toPrecision(3)} s of CPU`;
  return {
    task: `tree-hop: training step at d = ${d}`,
    n: UPDATES,
    unit: 'CPU ms',
    ours,
    peers: [],
    note,
    machine: machine(),
  };
}

export const treeHop: Task = async setting => {
  const results: Result[] = [];
  for (const d of [384, 1024])
    for (const rows of [1, 5, 64]) results.push(await updates(d, rows, setting));
  results.push(await step(384, setting));
  return results;
};
