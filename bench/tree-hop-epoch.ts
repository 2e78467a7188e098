/**
 * Time of an epoch of training TreeHop at d = 384 over all chains of the data folder: the training
 * run itself, with vectors drawn at random.
 */
import { join } from 'node:path';
import { readTreeHopData } from '../lab/commands/tree-hop/training-data.ts';
import { questionFolds } from '../lab/learning/tree-hop/question-folds.ts';
import { TreeHopTrainer } from '../lab/learning/tree-hop/trainer.ts';
import { updatesOf } from '../lab/learning/tree-hop/training-batches.ts';
import { TrainingRun } from '../lab/learning/tree-hop/training-run.ts';
import { PUBLISHED_TRAINING } from '../lab/learning/tree-hop/training-settings.ts';
import type { TrainingVectors } from '../lab/learning/tree-hop/training-vectors.ts';
import { mulberry32 } from '../src/core/mulberry32.ts';
import { initialParameters } from '../src/models/tree-hop/parameters.ts';
import { publishedShape } from '../src/models/tree-hop/shape.ts';
import { machine, median, type Result, type Spent, type Task } from './measure.ts';
import { randomRows, syntheticBatch } from './tree-hop.ts';
import { now, since } from './tree-hop-store.ts';

const D = 384;

/**
 * One epoch, from the first batch to the record of what it came to; `heldOut` questions are looked
 * at after it, as in a real run.
 */
function epoch(data: ConstructorParameters<typeof TrainingRun>[0]): void {
  const steps = new TrainingRun(data, { ...PUBLISHED_TRAINING, shape: publishedShape(D) }).learn();
  while (!steps.next().done);
}

export const treeHopEpoch: Task = async ({ data, runs, say }) => {
  const { set } = await readTreeHopData([join(data, 'train')], { negatives: 5, seed: 1 });
  const random = mulberry32(D);
  const { examples, paragraphs } = set;
  const vectors: TrainingVectors = {
    d: D,
    questions: randomRows(random, examples.length, D),
    paragraphs: randomRows(random, paragraphs.length, D),
  };
  const all = examples.map((_, index) => index);
  const updates = examples.reduce((sum, example) => sum + updatesOf(example).length, 0);
  const folds = questionFolds(examples, 10, 1);
  const [whole, tenth] = [
    { set, vectors, learnt: all, heldOut: [], identity: {} },
    {
      set,
      vectors,
      learnt: all.filter(one => folds[one] !== 0),
      heldOut: all.filter(one => folds[one] === 0),
      identity: {},
    },
  ];
  say(`tree-hop-epoch: ${all.length} chains, ${updates} updates, ${runs} runs`);
  const plain = new TreeHopTrainer(initialParameters(publishedShape(D), random), { mode: 'plain' });
  const each = Math.round(updates / Math.ceil(all.length / PUBLISHED_TRAINING.batch));
  const step = syntheticBatch(random, each, D);
  const spent = { whole: [] as Spent[], tenth: [] as Spent[], plain: [] as Spent[] };
  const timed = (work: () => void): Spent => {
    const started = now();
    work();
    return since(started);
  };
  for (let run = 0; run < runs; run++) {
    spent.whole.push(timed(() => epoch(whole)));
    spent.tenth.push(timed(() => epoch(tenth)));
    spent.plain.push(timed(() => plain.learn(step)));
  }
  const seconds = (of: readonly Spent[], times = 1): Spent => ({
    wall: (times * median(of.map(({ wall }) => wall))) / 1000,
    cpu: (times * median(of.map(({ cpu }) => cpu))) / 1000,
  });
  const [ours, watched, theirs] = [
    seconds(spent.whole),
    seconds(spent.tenth),
    seconds(spent.plain, updates / each),
  ];
  const result: Result = {
    task: `tree-hop: an epoch of training at d = ${D}, ${all.length.toLocaleString('en')} chains, ${updates.toLocaleString('en')} updates`,
    n: updates,
    unit: 'wall s',
    ours: ours.wall,
    machine: machine(),
    note: `CPU ${ours.cpu.toPrecision(3)} s, one thread; with a tenth held out and looked at before and after ${watched.wall.toPrecision(3)} s (CPU ${watched.cpu.toPrecision(3)})`,
    peers: [
      {
        name: 'plain JavaScript',
        version: '',
        value: theirs.wall,
        ratio: theirs.wall / ours.wall,
        note: `one step of ${each} updates, times ${Math.round(updates / each)}; CPU ${theirs.cpu.toPrecision(3)} s, ${(theirs.cpu / ours.cpu).toPrecision(3)}x`,
      },
    ],
  };
  return [result];
};
