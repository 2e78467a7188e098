/**
 * `tree-hop train` and `ablate`: data, vectors, one run or one for each variant, and
 * their figures.
 */

import type { CommandContext } from '../../../src/cli/command.ts';
import { warnOf } from '../../../src/cli/data-options.ts';
import { duration, Progress } from '../../../src/cli/progress.ts';
import { InputError } from '../../../src/core/errors.ts';
import { TREE_HOP_VARIANTS, type TreeHopVariant } from '../../../src/models/tree-hop/shape.ts';
import { monotonicClock } from '../../../src/platform/clock.ts';
import { thisPackage } from '../../../src/platform/package-root.ts';
import { textTemplates } from '../../../src/search/vectors/text-templates.ts';
import { isMention, questionSplit } from '../../learning/tree-hop/mention-split.ts';
import type { TrainingData } from '../../learning/tree-hop/training-run.ts';
import type { TrainingSettings } from '../../learning/tree-hop/training-settings.ts';
import { wanted } from './options.ts';
import { stateToResume, type TreeHopFiles, treeHopFiles } from './run-files.ts';
import { HELD_OUT, settingsOf } from './settings.ts';
import { dataLines, epochLine, printTraining, type TrainedRun } from './tables.ts';
import { dataHash, readTreeHopData, type TreeHopData, trainedOn } from './training-data.ts';
import { type TrainingJob, trainToFiles } from './training-to-files.ts';
import { type Embedded, embedTrainingSet } from './vectors.ts';

/** Reads the training data that `--data` names, and says what became of it. */
export async function openTreeHopData({ options, output }: CommandContext): Promise<TreeHopData> {
  wanted(options, 'data');
  const data = await readTreeHopData(options.texts('data'), {
    negatives: options.integer('negatives', 5),
    seed: options.integer('seed', 1),
    mentions: options.integer('mentions', 0),
  });
  warnOf(data.problems, output);
  return data;
}

/** One run of a command: what it learns, what is held out, and where its files are. */
interface Plan {
  readonly name: string;
  readonly files: TreeHopFiles;
  readonly settings: TrainingSettings;
  readonly learnt: readonly number[];
  readonly heldOut: readonly number[];
  /** Tells one split from another where a run goes on. */
  readonly split: string;
}

export const train = (context: CommandContext): Promise<number> =>
  trained(context, ({ variant }) => [{ part: undefined, variant }]);

export function ablate(context: CommandContext): Promise<number> {
  if (heldOutShare(context) === 0)
    throw new InputError('bad-value', 'The option --held-out', {
      expected: 'a share above 0: variants are compared on it',
      received: '"0"',
    });
  return trained(context, () => TREE_HOP_VARIANTS.map(variant => ({ part: variant, variant })));
}

/** Throws `InputError('bad-value')`. */
const heldOutShare = ({ options }: CommandContext): number => options.get(HELD_OUT) ?? 0.1;

interface Variant {
  readonly variant: TreeHopVariant;
  /** Tells its files from those of other variants. */
  readonly part: string | undefined;
}

async function trained(
  context: CommandContext,
  variantsOf: (settings: TrainingSettings) => readonly Variant[],
): Promise<number> {
  const { options, output } = context;
  const settingsFor = settingsOf(options);
  const heldOut = heldOutShare(context);
  const out = wanted(options, 'out');
  const variants = variantsOf(settingsFor(1));
  const prepared = await prepare(
    context,
    variants.map(({ part }) => part),
  );
  const settings = settingsFor(prepared.vectors.d);
  const runs: TrainedRun[] = [];
  for (const { variant, part } of variants)
    runs.push(
      await runOne(context, prepared, {
        name: variant,
        files: treeHopFiles(out, part),
        settings: { ...settings, variant },
        ...split(prepared.data, heldOut, settings.seed),
      }),
    );
  printTraining(output, runs);
  return 0;
}

/** Holds out one fold of the published questions. */
function split(
  { set }: TreeHopData,
  share: number,
  seed: number,
): Pick<Plan, 'learnt' | 'heldOut' | 'split'> {
  const all = set.examples.map((_, index) => index);
  if (share === 0) return { learnt: all, heldOut: [], split: 'all' };
  const folds = Math.round(1 / share);
  const published = all.filter(index => !isMention(set.examples[index]!)).length;
  return {
    ...questionSplit(set, { folds: Math.min(folds, Math.max(2, published)), seed }),
    split: `1 of ${folds}`,
  };
}

interface Prepared extends Embedded {
  readonly data: TreeHopData;
  readonly hash: string;
  readonly template: string;
}

/** Everything that can be refused is refused before the first text is embedded. */
async function prepare(
  context: CommandContext,
  parts: readonly (string | undefined)[],
): Promise<Prepared> {
  const { options, output } = context;
  wanted(options, 'embedder');
  const out = wanted(options, 'out');
  const template = textTemplates.canonical(options.text('template') ?? 'title-context');
  for (const part of parts) stateToResume(treeHopFiles(out, part), options.flag('resume'));
  const data = await openTreeHopData(context);
  for (const line of dataLines(data)) output.note(line);
  return {
    data,
    template,
    hash: dataHash(data),
    ...(await embedTrainingSet(context, data.set, template)),
  };
}

async function runOne(
  { options, output, signal }: CommandContext,
  prepared: Prepared,
  plan: Plan,
): Promise<TrainedRun> {
  const { data, vectors, encoder, template, hash } = prepared;
  const { name, files, settings, learnt, heldOut } = plan;
  const training: TrainingData = {
    set: data.set,
    vectors,
    learnt,
    heldOut,
    identity: { encoder: encoder.id, template, data: hash, split: plan.split },
  };
  const started = monotonicClock();
  const progress = new Progress(output, 'batches');
  let worked = 0;
  const job: TrainingJob = {
    data: training,
    settings,
    files,
    signal,
    resume: options.flag('resume'),
    title: `TreeHop ${name}, ${encoder.name}, ${learnt.length.toLocaleString('en')} questions`,
    provenance: {
      // The name of the vector space, by which a search knows it; the id says which files of the
      // model, and how they were quantised.
      encoder: encoder.name,
      encoderId: encoder.id,
      queryPooling: 'encoder',
      template,
      trainedOn: JSON.stringify(trainedOn(data)),
      split: plan.split,
      version: thisPackage().version,
    },
    // The time left counts all epochs: an upper bound, since training may end early.
    onBatch: (epoch, batch, batches) => {
      const done = (epoch - 1) * batches + batch;
      progress.update({ count: done, done, total: settings.epochs * batches, worked: ++worked });
    },
    onEpoch: (record, isBest) => {
      progress.end();
      output.note(`${name}: ${epochLine(record, isBest)}`);
    },
  };
  try {
    const outcome = await trainToFiles(job);
    if (outcome.resumedAt !== undefined)
      output.note(`${name}: went on after epoch ${outcome.resumedAt}`);
    const seconds = (monotonicClock() - started) / 1000;
    output.note(`${name}: ${outcome.history.length - 1} epochs, ${duration(seconds * 1000)}`);
    return { name, files, outcome, learnt: learnt.length, heldOut: heldOut.length };
  } finally {
    progress.end();
  }
}
